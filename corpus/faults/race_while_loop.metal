// A `while` loop gives the steps of a tree sum, without a barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint reach = 32;
  while (reach > 0) {
    if (t < reach) part[t] += part[t + reach];  // lint: hazard.threadgroup_race; check: race
    reach >>= 1;
  }
  if (t == 0) x[0] = part[0];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint reach = 32;
  while (reach > 0) {
    if (t < reach) part[t] += part[t + reach];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    reach >>= 1;
  }
  if (t == 0) x[0] = part[0];
}
