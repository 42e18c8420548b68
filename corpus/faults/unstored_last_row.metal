// The test of the row is one too strict.
// missed by lint: the values of the host and of buffers are not known
// grid: 16 9
// threadgroup: 16 4
// in 0: float 1..144
// out 1: float 144*0
// in 2: uint 16 9
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint2& size, uint2 p [[thread_position_in_grid]]) {
  if (p.x >= size.x || p.y >= size.y - 1) return;
  y[p.y * size.x + p.x] = 0.5f * x[p.y * size.x + p.x];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint2& size, uint2 p [[thread_position_in_grid]]) {
  if (p.x >= size.x || p.y >= size.y) return;
  y[p.y * size.x + p.x] = 0.5f * x[p.y * size.x + p.x];
}
