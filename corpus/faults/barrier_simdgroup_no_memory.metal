// A barrier of the simdgroup that orders no memory.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  simdgroup_barrier(mem_flags::mem_none);
  x[t] = line[t ^ 1];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t ^ 1];
}
