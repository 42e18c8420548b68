// Rows of a field are exchanged between threadgroups behind a barrier.
// grid: 16 16
// threadgroup: 16 4
// in 0: float 0..255
// in 1: float 0..271
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint2 q [[thread_position_in_grid]]) {
  const uint at = q.y * 16 + q.x;
  y[at] = 2 * x[at];  // check: race
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  const float below = y[at + 16];  // check: race
  if (below < 0) y[0] = 0;
}
kernel void fixed(device const float* x, device float* y, uint2 q [[thread_position_in_grid]]) {
  const uint at = q.y * 16 + q.x;
  y[at] = 2 * x[at];
  threadgroup_barrier(mem_flags::mem_device);
  const float below = q.y % 4 < 3 ? y[at + 16] : 0.0f;
  threadgroup_barrier(mem_flags::mem_device);
  y[at] += below;
}
