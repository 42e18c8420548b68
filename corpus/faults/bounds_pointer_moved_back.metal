// A pointer moves one element in front of the buffer.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  device const float* left = x - 1;
  y[t] = left[t];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  device const float* left = x;
  y[t] = left[t];
}
