// Some threads skip the rest of a round together with its barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = 0;
  for (uint k = 0; k < 3; ++k) {
    if ((t + k) % 3 == 0) continue;
    line[t] += x[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
  }
  x[t] = line[t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = 0;
  for (uint k = 0; k < 3; ++k) {
    if ((t + k) % 3 != 0) line[t] += x[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = line[t];
}
