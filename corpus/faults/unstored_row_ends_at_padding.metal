// A row ends at its first negative number; what follows is meant to be zero, but is never stored.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 1 2 3 4 5 6 7 8 1 2 3 4 -1 0 0 0 1 -1 0 0 0 0 0 0 1 2 3 4 5 6 7 -1
// out 1: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint row [[thread_position_in_grid]]) {
  for (uint k = 0; k < 8; ++k) {
    if (x[8 * row + k] < 0) break;
    y[8 * row + k] = x[8 * row + k] * x[8 * row + k];  // check: unstored
  }
}
kernel void fixed(device const float* x, device float* y, uint row [[thread_position_in_grid]]) {
  bool ended = false;
  for (uint k = 0; k < 8; ++k) {
    ended = ended || x[8 * row + k] < 0;
    y[8 * row + k] = ended ? 0 : x[8 * row + k] * x[8 * row + k];
  }
}
