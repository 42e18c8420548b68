// A position becomes a half, which has no odd numbers beyond 2048.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: uint 2040
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(constant uint& first, device float* y, uint i [[thread_position_in_grid]]) {
  const half position = first + i;  // check: narrowed
  y[i] = position * 0.5f;
}
kernel void fixed(constant uint& first, device float* y, uint i [[thread_position_in_grid]]) {
  const float position = first + i;
  y[i] = position * 0.5f;
}
