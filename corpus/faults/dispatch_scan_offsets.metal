// Each threadgroup takes the total of the one before it.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* totals, uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  if (t == 63) totals[g] = x[i];  // check: race
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  const float before = g > 0 ? totals[g - 1] : 0.0f;  // check: race
  x[i] += before;
}
kernel void fixed(device float* x, device float* totals, uint i [[thread_position_in_grid]],
                  uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  const float scale = t == 63 ? 2.0f : 1.0f;
  threadgroup_barrier(mem_flags::mem_device);
  const float before = g > 0 ? totals[g - 1] : 0.0f;
  x[i] += before * scale;
}
