// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint lane [[thread_index_in_simdgroup]],
                   uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  const float m = simd_max(x[t]);
  if (lane == 0) tile[s] = m;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float most = tile[0];  // check: race
  for (uint i = 1; i < 8; ++i) most = max(most, tile[i]);  // check: race
  const float sum = simd_sum(exp(x[t] - most));
  if (lane == 0) tile[s] = sum;  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float all = 0;
  for (uint i = 0; i < 8; ++i) all += tile[i];
  x[t] = exp(x[t] - most) / all;
}
kernel void fixed(device float* x, uint lane [[thread_index_in_simdgroup]],
                  uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  const float m = simd_max(x[t]);
  if (lane == 0) tile[s] = m;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float most = tile[0];
  for (uint i = 1; i < 8; ++i) most = max(most, tile[i]);
  const float sum = simd_sum(exp(x[t] - most));
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) tile[s] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float all = 0;
  for (uint i = 0; i < 8; ++i) all += tile[i];
  x[t] = exp(x[t] - most) / all;
}
