// Thread 0 clears the sum while slower threads still read it.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float shared_sum;
  if (t == 0) shared_sum = x[0] + x[1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = shared_sum;  // check: race
  if (t == 0) shared_sum = 0;  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[128 + t] = shared_sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float shared_sum;
  if (t == 0) shared_sum = x[0] + x[1];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = shared_sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) shared_sum = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[128 + t] = shared_sum;
}
