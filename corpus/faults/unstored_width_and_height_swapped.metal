// The guard compares the column with the number of rows.
// grid: 24 8
// threadgroup: 8 8
// in 0: float 192*3
// out 1: float 192*0
// in 2: uint 24
// in 3: uint 8
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& width, constant uint& height,
                   uint2 at [[thread_position_in_grid]]) {
  if (at.x >= height || at.y >= width) return;
  y[at.y * width + at.x] = sqrt(x[at.y * width + at.x]);  // lint: hazard.past_the_end; check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& width, constant uint& height,
                  uint2 at [[thread_position_in_grid]]) {
  if (at.x >= width || at.y >= height) return;
  y[at.y * width + at.x] = sqrt(x[at.y * width + at.x]);
}
