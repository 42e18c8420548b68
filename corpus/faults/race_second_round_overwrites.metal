// The loop fills its tile again while slower threads still add it up.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  float sum = 0;
  for (uint block = 0; block < 4; ++block) {
    tile[t] = x[block * width + t];  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < width; ++k) sum += tile[k];  // check: race
  }
  y[t] = sum;
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  float sum = 0;
  for (uint block = 0; block < 4; ++block) {
    tile[t] = x[block * width + t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < width; ++k) sum += tile[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = sum;
}
