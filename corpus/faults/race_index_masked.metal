// Threads that differ by sixteen share an element because of a mask.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[16];
  line[t & 15] = x[t];  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t & 15];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[16];
  if (t < 16) line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t & 15];
}
