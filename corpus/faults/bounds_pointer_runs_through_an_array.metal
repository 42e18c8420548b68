// A pointer runs one element too far.
// grid: 8
// threadgroup: 8
// in 0: uint 0..7
// out 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float cells[4] = {1, 2, 3, 4};
  float sum = float(n[i]);
  for (thread float* p = cells; p <= cells + 4; ++p) sum += *p;  // lint: hazard.past_the_end; check: out_of_bounds
  y[i] = sum;
}
kernel void fixed(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float cells[4] = {1, 2, 3, 4};
  float sum = float(n[i]);
  for (thread float* p = cells; p < cells + 4; ++p) sum += *p;
  y[i] = sum;
}
