// The array is written as floats and read as vectors.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[16];
  threadgroup float* words = (threadgroup float*)rows;
  words[t] = x[t];
  x[t] = dot(rows[t / 4], float4(1));  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float4 rows[16];
  threadgroup float* words = (threadgroup float*)rows;
  words[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = dot(rows[t / 4], float4(1));
}
