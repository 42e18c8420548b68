// gap: line 5: cannot translate kernel 'k' yet: its parameter 'scene' is for ray tracing
#include <metal_stdlib>
using namespace metal;
using namespace raytracing;
kernel void k(primitive_acceleration_structure scene [[buffer(0)]], device float* out [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  intersector<triangle_data> nearest;
  out[i] = nearest.intersect(ray(float3(i, 0, 0), float3(0, 0, 1)), scene).distance;
}
