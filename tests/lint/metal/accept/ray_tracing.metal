// language: metal2.4
// Rays are traced by an intersector or a query.
#include <metal_stdlib>
using namespace metal;
using namespace metal::raytracing;

kernel void trace(instance_acceleration_structure scene [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  ray r(float3(0), float3(0, 0, 1), 0.001f, 100.0f);
  r.max_distance = 10;
  intersector<triangle_data, instancing> tracer;
  tracer.assume_geometry_type(geometry_type::triangle);
  tracer.accept_any_intersection(true);
  intersector<triangle_data, instancing>::result_type hit = tracer.intersect(r, scene, 0xff);
  if (hit.type == intersection_type::triangle) out[i] = hit.distance + hit.triangle_barycentric_coord.x;
  intersection_query<triangle_data, instancing> query;
  query.reset(r, scene);
  while (query.next())
    if (query.get_candidate_intersection_type() == intersection_type::triangle)
      query.commit_triangle_intersection();
  out[i] += query.get_committed_distance();
}
