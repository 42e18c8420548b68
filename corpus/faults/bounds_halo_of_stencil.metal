// A stencil reads the cell before the first one. public bug: Rodinia, hotspot
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_position_in_grid]]) {
  y[t] = x[int(t) - 1] + x[t];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_position_in_grid]]) {
  y[t] = x[max(int(t) - 1, 0)] + x[t];
}
