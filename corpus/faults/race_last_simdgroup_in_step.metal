// The last six steps of a reduction rely on threads that run in step. public bug: CUDA samples, reduction
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 32) {
    sum[t] += sum[t + 32];
    sum[t] += sum[t + 16];  // check: race
    sum[t] += sum[t + 8];  // lint: hazard.threadgroup_race; check: race
  }
  if (t == 0) x[0] = sum[0];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 32) {
    const float both = sum[t] + sum[t + 32];
    const float all = simd_sum(both);
    if (t == 0) x[0] = all;
  }
}
