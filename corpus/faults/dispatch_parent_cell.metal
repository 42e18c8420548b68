// Threadgroups build the coarse level from fine cells that their neighbours still write.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* coarse, uint i [[thread_position_in_grid]]) {
  x[i] = 2 * x[i] * x[i];  // check: race
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  if (i < 64) coarse[i] = x[2 * i] + x[2 * i + 1];  // check: race
}
kernel void fixed(device float* x, device float* coarse, uint i [[thread_position_in_grid]]) {
  x[i] = 2 * x[i] * x[i];
  threadgroup_barrier(mem_flags::mem_device);
  if (i % 2 == 0) coarse[i / 2] = x[i] + x[i + 1];
}
