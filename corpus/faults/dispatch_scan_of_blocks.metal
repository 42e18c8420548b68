// A scan adds the sum of the block before, which another threadgroup writes. public bug: OpenCL scans
// grid: 128
// threadgroup: 64
// in 0: float 128*1
// in 1: float 2*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* sums, uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]],
                   uint group [[threadgroup_position_in_grid]]) {
  if (t == 63) sums[group] = x[i] + float(group);
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  if (group > 0) x[i] += sums[group - 1];  // check: race
}
kernel void fixed(device float* x, device float* sums, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]],
                  uint group [[threadgroup_position_in_grid]]) {
  if (t == 63) sums[group] = x[i] + float(group);
  threadgroup_barrier(mem_flags::mem_device);
  x[i] += sums[group];
}
