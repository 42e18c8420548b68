// A function that waits is called by one simdgroup only.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static void settle() { threadgroup_barrier(mem_flags::mem_threadgroup); }  // check: barrier_divergence
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (s == 0) {
    settle();  // lint: hazard.barrier_divergence
    x[t] = line[63 - t];
  }
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  settle();
  if (s == 0) x[t] = line[63 - t];
}
