// All threads raise one maximum without an atomic operation.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float most;
  if (t == 0) most = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  most = max(most, x[t]);  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = most;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float most;
  if (t == 0) most = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 1; t == 0 && k < 64; ++k) most = max(most, x[k]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = most;
}
