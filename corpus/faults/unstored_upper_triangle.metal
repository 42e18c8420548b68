// A symmetric matrix of distances is stored on one side of its diagonal.
// missed by lint: the values of the host and of buffers are not known
// grid: 12 12
// threadgroup: 4 4
// in 0: float 1..12
// out 1: float 144*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* distance, uint2 at [[thread_position_in_grid]]) {
  if (at.x > at.y) return;
  distance[12 * at.y + at.x] = abs(x[at.x] - x[at.y]);  // check: unstored
}
kernel void fixed(device const float* x, device float* distance, uint2 at [[thread_position_in_grid]]) {
  distance[12 * at.y + at.x] = abs(x[at.x] - x[at.y]);
}
