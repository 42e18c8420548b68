// A loop walks a pointer one element too far.
// grid: 1
// threadgroup: 1
// in 0: float 1..64
// in 1: float 1*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float sum = 0;
  for (device const float* at = x + t; at <= x + 64; ++at) sum += *at;  // lint: hazard.past_the_end; check: out_of_bounds
  y[t] = sum;
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float sum = 0;
  for (device const float* at = x + t; at < x + 64; ++at) sum += *at;
  y[t] = sum;
}
