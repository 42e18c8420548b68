// A tree reduction waits with mem_none. public bug: candle, reduce
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  threadgroup_barrier(mem_flags::mem_none);  // lint: hazard.barrier_flags
  for (uint s = 32; s > 0; s >>= 1) {
    if (t < s) sum[t] += sum[t + s];  // check: race
    threadgroup_barrier(mem_flags::mem_none);
  }
  if (t == 0) x[0] = sum[0];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum[64];
  sum[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 32; s > 0; s >>= 1) {
    if (t < s) sum[t] += sum[t + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) x[0] = sum[0];
}
