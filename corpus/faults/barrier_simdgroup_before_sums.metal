// The sums of the simdgroups are exchanged behind a barrier of the simdgroup.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[2];
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;  // check: race
  simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  x[t] /= sums[0] + sums[1];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[2];
  const float sum = simd_sum(x[t]);
  if (lane == 0) sums[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] /= sums[0] + sums[1];
}
