// The number of rounds, and so of barriers, differs among the threads.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: uint 100
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float line[64];
  float sum = 0;
  for (uint k = t; k < n; k += width) {
    line[t] = x[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
    sum += line[63 - t];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // check: barrier_divergence
  }
  x[t] = sum;
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float line[64];
  float sum = 0;
  for (uint base = 0; base < n; base += width) {
    const uint k = base + t;
    line[t] = x[k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += line[63 - t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = sum;
}
