// A sum in threadgroup memory has no start.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float total;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) total += x[0];  // lint: hazard.uninitialised_threadgroup; check: uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = total;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float total;
  if (t == 0) total = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) total += x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = total;
}
