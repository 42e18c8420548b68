// The other simdgroups read the leader's total behind a barrier of the simdgroup.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float total;
  if (t == 0) total = x[0] + x[1];
  simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  x[64 + t] = total;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float total;
  if (t == 0) total = x[0] + x[1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = total;
}
