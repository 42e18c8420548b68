// gap: line 9: cannot translate kernel 'k' yet: it uses ray tracing; intersect the triangles in the kernel
#include <metal_stdlib>
using namespace metal;
using namespace raytracing;
struct Scene { primitive_acceleration_structure structure; };
kernel void k(constant Scene& scene [[buffer(0)]], device float* out [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  intersector<triangle_data> nearest;
  out[i] = nearest.intersect(ray(float3(i, 0, 0), float3(0, 0, 1)), scene.structure).distance;
}
