// Both threads of a pair exchange it, so that each reads what the other writes.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint i [[thread_position_in_grid]], uint total [[threads_per_grid]]) {
  const float other = x[total - 1 - i];  // check: race
  x[i] = other;  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device float* x, uint i [[thread_position_in_grid]], uint total [[threads_per_grid]]) {
  if (i < total / 2) {
    const float other = x[total - 1 - i];
    x[total - 1 - i] = x[i];
    x[i] = other;
  }
}
