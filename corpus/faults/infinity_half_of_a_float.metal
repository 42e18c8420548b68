// A float beyond the range of half is stored into a buffer of halves.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 1 60000 70000 -80000
// in 1: half 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device half* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i];  // check: not_finite
}
kernel void fixed(device const float* x, device half* y, uint i [[thread_position_in_grid]]) {
  y[i] = half(clamp(x[i], -65504.0f, 65504.0f));
}
