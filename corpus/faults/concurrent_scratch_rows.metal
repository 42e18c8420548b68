// Both launches keep their partial sums in one scratch buffer.
// missed by lint: a source does not say which launches overlap
// grid: 32
// threadgroup: 32
// launches: 2 concurrent
// in 0: float 32*0
// in 1: float 1..32
// in 2: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* scratch, device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  scratch[i] = 0;  // check: race
  for (uint k = 0; k <= i; ++k) scratch[i] += x[k];  // check: race
  if (i == 31) y[0] = scratch[i];
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 0; k <= i; ++k) sum += x[k];
  if (i == 31) y[0] = sum;
}
