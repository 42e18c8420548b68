// Two steps of an iteration run in a concurrent encoder, without a barrier between them.
// missed by lint: a source does not say which launches overlap
// grid: 64
// threadgroup: 32
// launches: 2 concurrent
// in 0: float 1..64
// in 1: float 64*3
// in 2: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device const float* b, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = b[i];
  x[i] = 0.5f * x[i] + y[i];  // check: race
}
kernel void fixed(device const float* x, device const float* b, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = 0.5f * x[i] + b[i];
}
