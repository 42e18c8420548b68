// Elements move one place to the left while others still read them.
// grid: 128
// threadgroup: 64
// in 0: float 1..129
// in 1: float 129*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* y, uint i [[thread_position_in_grid]]) {
  x[i] = y[i] = x[i + 1];  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device float* x, device float* y, uint i [[thread_position_in_grid]]) { y[i] = x[i + 1]; }
