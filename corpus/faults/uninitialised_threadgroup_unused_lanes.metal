// The sums of simdgroups that do not exist are read as well.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[32];
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = simd_sum(sums[lane]);  // lint: hazard.uninitialised_threadgroup; check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[32];
  if (t < 32) sums[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = simd_sum(sums[lane]);
}
