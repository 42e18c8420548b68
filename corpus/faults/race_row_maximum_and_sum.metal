// A softmax of rows keeps the sums of simdgroups where their maxima still are. public bug: ggml, soft_max
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]],
                   uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[2];
  const float top = simd_max(x[t]);
  if (lane == 0) part[sg] = top;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float highest = max(part[0], part[1]);  // check: race
  const float e = exp(x[t] - highest);
  const float sum = simd_sum(e);
  if (lane == 0) part[sg] = sum;  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = e / (part[0] + part[1]);
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint sg [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[2];
  const float top = simd_max(x[t]);
  if (lane == 0) part[sg] = top;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float highest = max(part[0], part[1]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float e = exp(x[t] - highest);
  const float sum = simd_sum(e);
  if (lane == 0) part[sg] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = e / (part[0] + part[1]);
}
