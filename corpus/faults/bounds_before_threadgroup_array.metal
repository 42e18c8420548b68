// The first thread reads in front of a threadgroup array.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[int(t) - 1];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[max(int(t) - 1, 0)];
}
