// The first of four threads adds up the elements of its quad.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if ((t & 3) == 0) x[64 + t / 4] = line[t] + line[t + 1] + line[t + 2] + line[t + 3];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if ((t & 3) == 0) x[64 + t / 4] = line[t] + line[t + 1] + line[t + 2] + line[t + 3];
}
