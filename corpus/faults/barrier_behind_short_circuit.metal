// The right side of `&&` calls a function that waits.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static bool all_agree(threadgroup uint& flag, bool mine) {
  if (!mine) flag = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);  // check: barrier_divergence
  return flag != 0;
}
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint flag;
  if (t == 0) flag = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 3.0f && all_agree(flag, x[t] < 90.0f)) x[t] = 0;  // lint: hazard.barrier_divergence
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint flag;
  if (t == 0) flag = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const bool agree = all_agree(flag, x[t] < 90.0f);
  if (x[t] > 3.0f && agree) x[t] = 0;
}
