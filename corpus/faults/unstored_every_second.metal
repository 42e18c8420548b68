// Each thread has two elements and stores one of them.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: float 1..64
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[2 * i] = x[2 * i] + x[2 * i + 1];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[2 * i] = x[2 * i] + x[2 * i + 1];
  y[2 * i + 1] = x[2 * i] - x[2 * i + 1];
}
