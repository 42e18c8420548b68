// The first element has no left neighbour.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
// in 2: uint 64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n,
                   uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = x[i] - x[i - 1];  // lint: hazard.unsigned_wrap; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, constant uint& n,
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = i == 0 ? 0.0f : x[i] - x[i - 1];
}
