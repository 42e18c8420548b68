// Two steps of an iteration run in a concurrent encoder, without a barrier between them.
// missed by lint: a source does not say which launches overlap
// says: thread (0, 0, 0) of threadgroup (0, 0, 0) reads x (at byte 0 of 256) while a thread of another launch, of faulty, writes it
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
