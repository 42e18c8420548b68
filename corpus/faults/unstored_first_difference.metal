// The first element has no left neighbour, and gets no value, either.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 32
// in 0: float 1..64
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  if (i == 0) return;
  y[i] = x[i] - x[i - 1];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = i == 0 ? x[0] : x[i] - x[i - 1];
}
