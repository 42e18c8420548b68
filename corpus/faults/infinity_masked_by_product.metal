// A mask of zeros is multiplied by padding that is infinite.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 1 2 inf inf
// in 1: float 1 1 0 0
// in 2: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device const float* mask, device float* y,
                   uint i [[thread_position_in_grid]]) {
  y[i] = x[i] * mask[i];  // check: not_finite
}
kernel void fixed(device const float* x, device const float* mask, device float* y,
                  uint i [[thread_position_in_grid]]) {
  y[i] = mask[i] != 0 ? x[i] : 0;
}
