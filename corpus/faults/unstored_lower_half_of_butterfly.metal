// A butterfly stores the sum of two elements, and not their difference.
// missed by lint: the values of the host and of buffers are not known
// grid: 16
// threadgroup: 16
// in 0: float 1..32
// out 1: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float a = x[i], b = x[i + 16];
  y[i] = a + b;  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float a = x[i], b = x[i + 16];
  y[i] = a + b;
  y[i + 16] = a - b;
}
