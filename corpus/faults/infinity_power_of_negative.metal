// A gamma curve of a negative brightness.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 0.5 -0.25 0 1
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = pow(x[i], 0.4545f);  // check: not_finite
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = copysign(pow(abs(x[i]), 0.4545f), x[i]);
}
