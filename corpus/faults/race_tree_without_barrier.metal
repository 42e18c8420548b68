// The steps of a tree sum follow each other without a barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_width = width / 2; half_width > 0; half_width /= 2) {
    if (t < half_width) part[t] += part[t + half_width];  // lint: hazard.threadgroup_race; check: race
  }
  if (t == 0) x[0] = part[0];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_width = width / 2; half_width > 0; half_width /= 2) {
    if (t < half_width) part[t] += part[t + half_width];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) x[0] = part[0];
}
