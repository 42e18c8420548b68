// tanh by its definition: both exponentials overflow, and their ratio is NaN.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float -2 0 2 60
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float e = exp(2 * x[i]);  // check: not_finite
  y[i] = (e - 1) / (e + 1);
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  const float e = exp(-2 * abs(x[i]));
  y[i] = copysign((1 - e) / (1 + e), x[i]);
}
