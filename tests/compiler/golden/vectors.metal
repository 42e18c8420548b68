#include <metal_stdlib>
using namespace metal;

// Vectors stay whole where a kernel computes with them.
kernel void clipped_pull(device const float4* in [[buffer(0)]], device float4* out [[buffer(1)]],
                         constant uint& count [[buffer(2)]], constant float& reach [[buffer(3)]],
                         uint i [[thread_position_in_grid]]) {
  const float4 here = in[i];
  float4 pull = 0.0f;
  uint4 near = 0;
  for (uint j = 0; j < count; ++j) {
    const float4 d = in[j] - here;
    pull += d * rsqrt(d * d + 1.0f);
    near += uint4(fabs(d) < reach);
  }
  out[i] = pull + float4(near);
}
