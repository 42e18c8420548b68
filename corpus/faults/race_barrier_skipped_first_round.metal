// The first round of a loop has no barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];  // check: race
  float sum = 0;
  for (uint k = 0; k < 3; ++k) {
    if (k > 0) threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += line[(t + 1) & 63];  // lint: hazard.threadgroup_race; check: race uninitialised
    threadgroup_barrier(mem_flags::mem_threadgroup);
    line[t] = sum;
  }
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  float sum = 0;
  for (uint k = 0; k < 3; ++k) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += line[(t + 1) & 63];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    line[t] = sum;
  }
  x[t] = sum;
}
