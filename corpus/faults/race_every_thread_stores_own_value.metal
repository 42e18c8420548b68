// All threads store their own value to one place of a buffer.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* last, uint t [[thread_index_in_threadgroup]]) {
  last[0] = x[t];  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const float* x, device float* last, uint t [[thread_index_in_threadgroup]]) {
  if (t == 63) last[0] = x[t];
}
