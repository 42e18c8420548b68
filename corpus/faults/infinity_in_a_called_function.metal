// A helper that softens large numbers has an exponential that overflows.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float -1 0 1 90
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
inline float softened(float x) {
  return log(1 + exp(x));  // check: not_finite
}
inline float softened_in_range(float x) {
  return max(x, 0.0f) + log(1 + exp(-abs(x)));
}
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) { y[i] = softened(x[i]); }
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = softened_in_range(x[i]);
}
