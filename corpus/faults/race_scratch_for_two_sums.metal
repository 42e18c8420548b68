// The second reduction reuses the scratch array that slower simdgroups still read.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                   uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float scratch[32];
  const float a = simd_sum(x[t]);
  if (lane == 0) scratch[s] = a;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = simd_sum(lane < simdgroups ? scratch[lane] : 0.0f);  // check: race
  const float b = simd_max(x[t]);
  if (lane == 0) scratch[s] = b;  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum + simd_max(lane < simdgroups ? scratch[lane] : 0.0f);
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]], uint s [[simdgroup_index_in_threadgroup]],
                  uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float scratch[32];
  const float a = simd_sum(x[t]);
  if (lane == 0) scratch[s] = a;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = simd_sum(lane < simdgroups ? scratch[lane] : 0.0f);
  const float b = simd_max(x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) scratch[s] = b;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum + simd_max(lane < simdgroups ? scratch[lane] : 0.0f);
}
