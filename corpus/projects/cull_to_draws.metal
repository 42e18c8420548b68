// In the manner of translation layers: a kernel that writes the arguments of indirect draws, which are built in.
#include <metal_stdlib>
using namespace metal;

struct Sphere {
  packed_float3 centre;
  float radius;
};

kernel void cull(device const Sphere* spheres [[buffer(0)]], constant float4* planes [[buffer(1)]],
                 device MTLDrawPrimitivesIndirectArguments* draws [[buffer(2)]],
                 device MTLDispatchThreadgroupsIndirectArguments& next [[buffer(3)]],
                 constant uint2& counts [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  if (i >= counts.x) return;
  bool is_seen = true;
  for (uint plane = 0; plane < 6; ++plane)
    is_seen = is_seen && dot(planes[plane], float4(float3(spheres[i].centre), 1)) > -spheres[i].radius;
  draws[i] = {counts.y, is_seen ? 1u : 0u, 0, i};
  if (i == 0) {
    next.threadgroupsPerGrid[0] = (counts.x + 63) / 64;
    next.threadgroupsPerGrid[1] = next.threadgroupsPerGrid[2] = 1;
  }
}
