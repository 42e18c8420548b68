// One component of a vector is read from the neighbour's vector too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[64];
  rows[t] = float4(x[t]);
  x[t] = rows[t ^ 1].w;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[64];
  rows[t] = float4(x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = rows[t ^ 1].w;
}
