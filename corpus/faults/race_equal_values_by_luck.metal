// All threads store what they find: equal here because the plan's values are equal.
// says: the stores are equal where the plan fills a buffer with one number
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[0] = x[t];  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) y[0] = x[t];
}
