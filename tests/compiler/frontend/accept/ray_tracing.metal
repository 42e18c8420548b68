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

// Functions that a table holds, and what a host tells about instances.
struct Hit {
  bool accept [[accept_intersection]];
  bool more [[continue_search]];
  float distance [[distance]];
};
constant bool with_data [[function_constant(0)]];

[[intersection(bounding_box, triangle_data, instancing)]] Hit ball(
    float3 origin [[origin]], float3 direction [[direction]], float near [[min_distance]],
    float far [[max_distance]], uint primitive [[primitive_id]],
    uint table [[geometry_intersection_function_table_offset]],
    const device void* data [[primitive_data]],
    device float4* balls [[buffer(0), function_constant(with_data)]],
    ray_data float3& payload [[payload]]) {
  const float4 one = *((const device float4*)data);
  const float3 to = origin - balls[primitive + table].xyz - one.xyz;
  const float b = dot(to, direction);
  payload = float3(b);
  return {b < 0, true, clamp(-b, near, far)};
}
[[intersection(triangle, triangle_data, instancing)]] bool leaf(uint id [[primitive_id]],
                                                                float2 at [[barycentric_coord]]) {
  return at.x > 0.5 || id == 0;
}

kernel void place(constant MTLAccelerationStructureInstanceDescriptor* instances [[buffer(0)]],
                  instance_acceleration_structure scene [[buffer(1)]],
                  intersection_function_table<triangle_data, instancing> table [[buffer(2)]],
                  device float4x4* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  float4x4 m(1.0f);
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) m[c][r] = instances[i].transformationMatrix[c][r];
  intersector<triangle_data, instancing> tracer;
  tracer.assume_geometry_type(geometry_type::triangle | geometry_type::bounding_box);
  const auto hit = tracer.intersect(ray(float3(0), float3(1)), scene, instances[i].mask, table);
  out[i] = hit.type == intersection_type::none ? m : float4x4(hit.distance);
}

// Members that differ in the space of their object only, one of them of payloads.
struct Rows {
  float4 columns[2];
  thread float4& operator[](uint i) thread { return columns[i]; }
  ray_data float4& operator[](uint i) ray_data { return columns[i]; }
};

kernel void row(device float* out [[buffer(0)]]) {
  Rows rows;
  rows[1] = 2;
  out[0] = rows[1].x;
}
