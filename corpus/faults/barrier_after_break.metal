// A thread that has finished leaves the loop while the others go on waiting.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  float value = x[t];
  for (uint k = 0; k < 4; ++k) {
    line[t] = value;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
    if (line[t] > 40.0f) break;
    value += line[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);  // check: barrier_divergence
  }
  x[t] = value;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  float value = x[t];
  for (uint k = 0; k < 4; ++k) {
    line[t] = value;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (line[t] > 40.0f) value *= 0.5f;
    value += line[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = value;
}
