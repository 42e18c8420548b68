// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum;
  if (t == 0) sum = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum += x[t];  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum;
  if (t == 0) {
    sum = 0;
    for (uint i = 0; i < 32; ++i) sum += x[i];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[32 + t] = sum;
}
