// log1p of minus one, where a fraction of the loss is all of it.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 0 0.5 0.75 1
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* loss, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = log(1 - loss[i]);  // check: not_finite
}
kernel void fixed(device const float* loss, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = log(max(1 - loss[i], 1e-7f));
}
