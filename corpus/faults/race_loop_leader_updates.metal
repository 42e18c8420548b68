// In each round thread 0 sets a factor that slower threads still use from the round before.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float factor;
  float value = x[t];
  for (uint k = 1; k < 4; ++k) {
    if (t == 0) factor = x[64 + k];  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    value *= factor;  // check: race
  }
  y[t] = value;
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float factor;
  float value = x[t];
  for (uint k = 1; k < 4; ++k) {
    if (t == 0) factor = x[64 + k];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    value *= factor;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = value;
}
