// Simdgroup 0 stores the total, and the other simdgroups read it at once.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                   uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float sums[32], total;
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (s == 0) {
    const float all = simd_sum(lane < simdgroups ? sums[lane] : 0.0f);
    if (lane == 0) total = all;
  }
  x[t] /= total;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                  uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float sums[32], total;
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (s == 0) {
    const float all = simd_sum(lane < simdgroups ? sums[lane] : 0.0f);
    if (lane == 0) total = all;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] /= total;
}
