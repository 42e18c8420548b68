// task: saxpy
//
// Four elements a thread as a vector, and the last ones one by one.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  const uint first = 4 * i;
  if (first >= N) return;
  if (first + 4 <= N) {
    device float4* ys = reinterpret_cast<device float4*>(y + first);
    *ys = fma(float4(a), *reinterpret_cast<device const float4*>(x + first), *ys);
    return;
  }
  for (uint k = first; k < N; ++k) y[k] = fma(a, x[k], y[k]);
}
