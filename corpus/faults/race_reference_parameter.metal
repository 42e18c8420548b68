// A function changes one place through a reference, for all threads.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static void raise(threadgroup float& most, float value) { most = max(most, value); }  // lint: hazard.threadgroup_race; check: race
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float most;
  if (t == 0) most = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  raise(most, x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = most;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float most;
  if (t == 0) most = x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) raise(most, x[1]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = most;
}
