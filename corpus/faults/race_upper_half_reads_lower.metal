// The upper half of the threads reads what the lower half writes.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float half_line[32];
  if (t < 32) half_line[t] = x[t];
  if (t >= 32) x[t] -= half_line[t - 32];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float half_line[32];
  if (t < 32) half_line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t >= 32) x[t] -= half_line[t - 32];
}
