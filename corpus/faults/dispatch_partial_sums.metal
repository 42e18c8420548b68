// The first threadgroup adds up the partial sums of all threadgroups.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float sum = 0;
    for (uint k = 0; k < width; ++k) sum += part[k];
    y[1 + g] = sum;  // check: race
  }
  threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
  if (g == 0 && t == 0) y[0] = y[1] + y[2];  // check: race
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                  uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float sum = 0;
    for (uint k = 0; k < width; ++k) sum += part[k];
    y[1 + g] = sum;
  }
}
