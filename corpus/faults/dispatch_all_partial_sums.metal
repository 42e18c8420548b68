// Every threadgroup adds up the partial sums of all threadgroups.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 256*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                   uint groups [[threadgroups_per_grid]]) {
  if (t == 0) y[g] = x[g * 64];  // check: race
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  float sum = 0;
  for (uint k = 0; k < groups; ++k) sum += y[k];  // check: race
  y[16 + i] = sum;
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                  uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                  uint groups [[threadgroups_per_grid]]) {
  if (t == 0) y[g] = x[g * 64];
  const float sum = x[0] + float(groups);
  y[16 + i] = sum;
}
