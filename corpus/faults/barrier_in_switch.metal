// The barrier lies in one case of a switch over the thread's position.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  switch (t & 1) {
    case 0:
      threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
      x[t] = 2 * line[t];
      break;
    default:
      x[t] = line[t];
      break;
  }
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  switch (t & 1) {
    case 0:
      x[t] = 2 * line[t];
      break;
    default:
      x[t] = line[t];
      break;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}
