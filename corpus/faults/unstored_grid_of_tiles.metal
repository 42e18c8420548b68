// The host launches as many threads as there are tiles, and each thread stores one pixel.
// missed by lint: the values of the host and of buffers are not known
// grid: 4 2
// threadgroup: 4 2
// in 0: float 128*0.25
// out 1: float 128*0
#include <metal_stdlib>
using namespace metal;
constant uint width = 16;
kernel void faulty(device const float* x, device float* y, uint2 at [[thread_position_in_grid]]) {
  y[at.y * width + at.x] = 1 - x[at.y * width + at.x];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint2 tile [[thread_position_in_grid]]) {
  for (uint row = 4 * tile.y; row < 4 * tile.y + 4; ++row)
    for (uint column = 4 * tile.x; column < 4 * tile.x + 4; ++column)
      y[row * width + column] = 1 - x[row * width + column];
}
