// The first lane of each simdgroup adds to one sum.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float total;
  if (t == 0) total = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = simd_sum(x[t]);
  if (lane == 0) total += sum;  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] /= total;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float total;
  if (t == 0) total = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float sum = simd_sum(x[t]);
  for (uint k = 0; k < 2; ++k) {
    if (lane == 0 && t / 32 == k) total += sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] /= total;
}
