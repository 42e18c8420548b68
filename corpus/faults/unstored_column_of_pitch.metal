// Rows are as long as their pitch, and only the columns of the picture are stored.
// missed by lint: the values of the host and of buffers are not known
// grid: 10 4
// threadgroup: 10 4
// in 0: float 40*1
// out 1: float 48*0
#include <metal_stdlib>
using namespace metal;
constant uint columns = 10, pitch = 12;
kernel void faulty(device const float* x, device float* y, uint2 at [[thread_position_in_grid]]) {
  y[at.y * pitch + at.x] = x[at.y * columns + at.x];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint2 at [[thread_position_in_grid]]) {
  for (uint column = at.x; column < pitch; column += columns)
    y[at.y * pitch + column] = column < columns ? x[at.y * columns + column] : 0;
}
