// A stencil works in place: a neighbour may have been replaced already.
// grid: 128
// threadgroup: 64
// in 0: float 64*1 2 7 64*5
// in 1: float 130*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* y, uint i [[thread_position_in_grid]]) {
  x[i + 1] = y[i] = 0.5f * (x[i] + x[i + 2]);  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i + 1] = 0.5f * (x[i] + x[i + 2]);
}
