// Hillis and Steele in one array, with one barrier for each step where two are needed.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float sums[64];
  sums[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 1; reach < width; reach *= 2) {
    const float left = t >= reach ? sums[t - reach] : 0.0f;  // check: race
    sums[t] += left;  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = sums[t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float sums[64];
  sums[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 1; reach < width; reach *= 2) {
    const float left = t >= reach ? sums[t - reach] : 0.0f;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[t] += left;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = sums[t];
}
