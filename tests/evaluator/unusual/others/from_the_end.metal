// task: saxpy
//
// Begins with the last element, and one thread takes two of them.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  const uint half_way = (N + 1) / 2;
  if (i >= half_way) return;
  const uint last = N - 1 - i;
  y[i] = a * x[i] + y[i];
  if (last != i) y[last] = a * x[last] + y[last];
}
