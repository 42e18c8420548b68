// A table sends several threads to one target.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0..31 0..31
// in 2: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device const uint* target [[buffer(1)]],
                   device float* y [[buffer(2)]], uint t [[thread_index_in_threadgroup]]) {
  y[target[t]] = x[t];  // check: race
}
kernel void fixed(device const float* x, device const uint* target [[buffer(1)]],
                  device float* y [[buffer(2)]], uint t [[thread_index_in_threadgroup]]) {
  if (t < 32) y[target[t]] = x[t] + x[t + 32];
}
