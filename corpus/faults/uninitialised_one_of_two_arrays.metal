// A pointer leads to one of two arrays, and only one of them was filled.
// missed by lint: a pointer that may lead to several arrays is not followed
// grid: 8
// threadgroup: 8
// in 0: uint 0..7
// out 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float even[8], odd[8];
  for (uint k = 0; k < 8; ++k) even[k] = float(k);
  thread const float* from = n[i] % 2 ? odd : even;
  y[i] = from[n[i]];  // check: uninitialised
}
kernel void fixed(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float even[8], odd[8];
  for (uint k = 0; k < 8; ++k) even[k] = odd[k] = float(k);
  thread const float* from = n[i] % 2 ? odd : even;
  y[i] = from[n[i]];
}
