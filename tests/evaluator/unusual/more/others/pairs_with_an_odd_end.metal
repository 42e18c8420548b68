// task: saxpy
//
// Pairs of numbers, and one thread for the odd end.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  const uint pairs = N / 2;
  device const float2* from = (device const float2*)x;
  device float2* to = (device float2*)y;
  if (i < pairs) to[i] = fma(float2(a), from[i], to[i]);
  if (i == pairs && N % 2 == 1) y[N - 1] = fma(a, x[N - 1], y[N - 1]);
}
