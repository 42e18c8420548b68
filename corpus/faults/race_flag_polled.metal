// Threads test a flag that another thread raises without a barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint found;
  if (t == 0) found = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 40.0f) found = 1;  // check: race
  if (found == 1) x[t] = 0;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint found;
  if (t == 0) found = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 40.0f) found = 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (found == 1) x[t] = 0;
}
