// The sums of the simdgroups are added up before all have been stored.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                   uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float sums[32];
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;  // check: race
  float all = 0;
  for (uint k = 0; k < simdgroups; ++k) all += sums[k];  // lint: hazard.threadgroup_race; check: race uninitialised
  x[t] /= all;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                  uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float sums[32];
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float all = 0;
  for (uint k = 0; k < simdgroups; ++k) all += sums[k];
  x[t] /= all;
}
