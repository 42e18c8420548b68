// Every thread takes the sum that thread 0 completes in the last step.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  for (uint step = width / 2; step > 0; step >>= 1) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step) part[t] += part[t + step];
  }
  x[t] /= part[0];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  for (uint step = width / 2; step > 0; step >>= 1) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step) part[t] += part[t + step];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] /= part[0];
}
