// The cells of the first row have no row above them.
// grid: 16 16
// threadgroup: 16 16
// in 0: float 0..255
// in 1: float 256*0
// in 2: uint 16
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n,
                   uint2 q [[thread_position_in_grid]]) {
  if (q.x >= n || q.y >= n) return;
  const uint at = q.y * n + q.x;
  y[at] = x[at - n];  // lint: hazard.unsigned_wrap; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, constant uint& n,
                  uint2 q [[thread_position_in_grid]]) {
  if (q.x >= n || q.y >= n) return;
  const uint at = q.y * n + q.x;
  y[at] = q.y > 0 ? x[at - n] : 0.0f;
}
