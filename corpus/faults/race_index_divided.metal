// Two threads share each element because of a division.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[32];
  line[t / 2] = x[t];  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t / 2];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[32];
  if ((t & 1) == 0) line[t / 2] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t / 2];
}
