// The inverse of tanh at a correlation of one.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 0 0.5 -0.5 1
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* r, device float* z, uint i [[thread_position_in_grid]]) {
  z[i] = atanh(r[i]);  // check: not_finite
}
kernel void fixed(device const float* r, device float* z, uint i [[thread_position_in_grid]]) {
  z[i] = atanh(clamp(r[i], -0.999999f, 0.999999f));
}
