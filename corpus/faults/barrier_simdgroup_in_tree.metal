// All steps of a tree sum wait for the simdgroup only.
// grid: 128
// threadgroup: 128
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[128];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 64; reach > 0; reach /= 2) {
    if (t < reach) part[t] += part[t + reach];  // lint: hazard.threadgroup_race; check: race
    simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  }
  if (t == 0) x[0] = part[0];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[128];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint reach = 64; reach > 0; reach /= 2) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) x[0] = part[0];
}
