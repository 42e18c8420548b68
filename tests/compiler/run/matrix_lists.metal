// Matrices from lists of columns.
// grid: 1
// threadgroup: 1
// in 0: float 1 2 3 4
// out 1: float 17 1 2 3 6 8 1 9
#include <metal_stdlib>
using namespace metal;

constant float4x4 moved = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {4, 0, 0, 1}};
constant float2x3 wide{{1, 2, 3}, {1.0f, 1.0f, 1.0f}};
struct Frame {
  float3x3 axes;
};
kernel void k(device const float* x [[buffer(0)]], device float* out [[buffer(1)]]) {
  out[0] = (moved * float4(x[0], x[1], x[2], x[3])).x;
  const float3 sum = wide * float2(x[0], 0);
  for (int i = 0; i < 3; ++i) out[1 + i] = sum[i];
  const Frame frame = {{{x[0], x[1], x[2]}, float3(0), {0, 0, 1}}};
  const float3 turned = frame.axes * float3(2);
  out[4] = turned.z - 2;
  const half2x2 small = {{half(x[1]), 0}, {0, 1}};
  out[5] = float(small[0][0]) * x[3];
  out[6] = transpose(moved)[0][0];
  out[7] = determinant(float2x2{{x[2], 0}, {0, x[2]}});
}
