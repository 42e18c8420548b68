// task: saxpy
//
// Three packed numbers a thread, and up to two alone.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  const uint begin = 3 * i;
  if (begin >= N) return;
  if (begin + 3 <= N) {
    device packed_float3* to = (device packed_float3*)(y + begin);
    const float3 sum = a * float3(*(device const packed_float3*)(x + begin)) + float3(*to);
    *to = packed_float3(sum);
    return;
  }
  for (uint k = begin; k < N; ++k) y[k] = a * x[k] + y[k];
}
