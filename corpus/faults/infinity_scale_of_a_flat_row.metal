// Numbers are scaled to the range of their row, which is empty where all are equal.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 32
// in 0: float 1..32 32*7
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float low = simd_min(x[i]), high = simd_max(x[i]);
  y[i] = (x[i] - low) / (high - low);  // check: not_finite
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float low = simd_min(x[i]), high = simd_max(x[i]);
  y[i] = high > low ? (x[i] - low) / max(high - low, 1e-20f) : 0;
}
