// A square matrix is transposed in place by all threads.
// grid: 16 16
// threadgroup: 16 16
// in 0: float 0..255
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint2 q [[thread_position_in_grid]]) {
  const uint here = q.y * 16 + q.x, there = q.x * 16 + q.y;
  const float held = x[there];  // check: race
  x[here] = held;  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device float* x, uint2 q [[thread_position_in_grid]]) {
  const uint here = q.y * 16 + q.x, there = q.x * 16 + q.y;
  if (q.x < q.y) {
    const float held = x[there];
    x[there] = x[here];
    x[here] = held;
  }
}
