// Two threads at one place with no barrier between them.
#include <metal_stdlib>
using namespace metal;

// kernel: no_barrier_after_the_tile
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 16*7
kernel void no_barrier_after_the_tile(device const float* x [[buffer(0)]],
                                      device float* y [[buffer(1)]],
                                      uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  tile[i] = x[i];  // expect: race
  y[i] = tile[15 - i];  // expect: race uninitialised
}

// kernel: sum_in_one_place
// grid: 16
// threadgroup: 4
// in 0: float 1..16
// in 1: float 0
kernel void sum_in_one_place(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                             uint i [[thread_position_in_grid]]) {
  y[0] += x[i];  // expect: race
}
