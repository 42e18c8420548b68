// One thread stores behind the end of an array.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t == 0) line[64] = 0;  // lint: hazard.out_of_bounds; check: out_of_bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t == 0) line[0] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
