// A threadgroup reads what its neighbour writes in the same dispatch.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 129*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i] * x[i];  // check: race
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  if (i + 1 < 128) y[i] += y[i + 1];  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i] * x[i];
  if (i + 1 < 128) y[i] += x[i + 1] * x[i + 1];
}
