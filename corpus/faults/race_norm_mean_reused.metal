// The mean is read from the first element, which the sum of squares overwrites. public bug: ggml, norm
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  for (uint half_of = 32; half_of > 0; half_of /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < half_of) sum[t] += sum[t + half_of];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float mean = sum[0] / 64;  // check: race
  sum[t] = (x[t] - mean) * (x[t] - mean);  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum[t ^ 1];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  for (uint half_of = 32; half_of > 0; half_of /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < half_of) sum[t] += sum[t + half_of];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float mean = sum[0] / 64;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum[t] = (x[t] - mean) * (x[t] - mean);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum[t ^ 1];
}
