// Each half of the threads waits at a barrier of its own.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t < 32) {
    threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
    x[t] = line[t + 32];
  } else {
    x[64 + t] = 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[t] = 2 * line[t - 32];
  }
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t < 32) {
    x[t] = 0;
  } else {
    x[t] = line[t];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}
