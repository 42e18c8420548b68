// The red cells of a chessboard are stored, and the black ones are left to a launch that does not come.
// missed by lint: the values of the host and of buffers are not known
// grid: 8 8
// threadgroup: 8 8
// in 0: float 64*2
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint2 at [[thread_position_in_grid]]) {
  if ((at.x + at.y) % 2 == 0) y[8 * at.y + at.x] = 0.25f * x[8 * at.y + at.x];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint2 at [[thread_position_in_grid]]) {
  const float factor = (at.x + at.y) % 2 == 0 ? 0.25f : 1.0f;
  y[8 * at.y + at.x] = factor * x[8 * at.y + at.x];
}
