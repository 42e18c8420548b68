// A pointer stays null for threads that have no buffer.
// missed by lint: a pointer that may lead to several arrays is not followed
// grid: 8
// threadgroup: 8
// in 0: float 1..8
// out 1: float 8*0
// in 2: uint 4
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  device const float* from = nullptr;
  if (i < n) from = x;
  y[i] = from[i];  // check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  device const float* from = nullptr;
  if (i < n) from = x;
  y[i] = from ? from[i] : 0.0f;
}
