// Threads take tiles of eight elements, and the number of tiles is rounded down.
// missed by lint: the values of the host and of buffers are not known
// grid: 8
// threadgroup: 8
// in 0: int 1..60
// out 1: int 60*0
// in 2: uint 60
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const int* x, device int* y, constant uint& n, uint tile [[thread_position_in_grid]]) {
  if (tile >= n / 8) return;
  for (uint k = 0; k < 8; ++k) y[8 * tile + k] = abs(x[8 * tile + k]);  // check: unstored
}
kernel void fixed(device const int* x, device int* y, constant uint& n, uint tile [[thread_position_in_grid]]) {
  for (uint k = 8 * tile; k < min(8 * tile + 8, n); ++k) y[k] = abs(x[k]);
}
