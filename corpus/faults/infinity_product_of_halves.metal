// The area of a box in half, of two sides that fit.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: half 200 300
// in 1: half 100 400
// in 2: float 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const half* width, device const half* height, device float* area,
                   uint i [[thread_position_in_grid]]) {
  area[i] = width[i] * height[i];  // check: not_finite
}
kernel void fixed(device const half* width, device const half* height, device float* area,
                  uint i [[thread_position_in_grid]]) {
  area[i] = float(width[i]) * float(height[i]);
}
