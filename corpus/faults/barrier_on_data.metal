// A barrier depends on the thread's own number from a buffer.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (x[t] > 10.0f) threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
  if (x[t] > 10.0f) x[t] = line[(t + 1) & 63];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 10.0f) x[t] = line[(t + 1) & 63];
}
