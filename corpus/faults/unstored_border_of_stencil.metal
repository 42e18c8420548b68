// The stencil stores the inside, and the border of the result stays as it was.
// missed by lint: the values of the host and of buffers are not known
// grid: 12 12
// threadgroup: 4 4
// in 0: float 1..144
// out 1: float 144*0
// in 2: uint 12
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* u, device float* v, constant uint& n, uint2 p [[thread_position_in_grid]]) {
  if (p.x == 0 || p.y == 0 || p.x + 1 >= n || p.y + 1 >= n) return;
  const uint c = p.y * n + p.x;
  v[c] = 0.25f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n]);  // check: unstored
}
kernel void fixed(device const float* u, device float* v, constant uint& n, uint2 p [[thread_position_in_grid]]) {
  if (p.x >= n || p.y >= n) return;
  const uint c = p.y * n + p.x;
  const bool is_inside = p.x > 0 && p.y > 0 && p.x + 1 < n && p.y + 1 < n;
  v[c] = is_inside ? 0.25f * (u[c - 1] + u[c + 1] + u[c - n] + u[c + n]) : u[c];
}
