// Each thread walks through the inner planes of a box, and the outer two keep what they had.
// missed by lint: the values of the host and of buffers are not known
// grid: 16
// threadgroup: 16
// in 0: float 1..80
// out 1: float 80*0
#include <metal_stdlib>
using namespace metal;
constant uint planes = 5;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  for (uint z = 1; z + 1 < planes; ++z)
    y[z * 16 + i] = 0.5f * (x[(z - 1) * 16 + i] + x[(z + 1) * 16 + i]);  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  for (uint z = 0; z < planes; ++z) {
    const uint below = max(z, 1u) - 1, above = min(z + 1, planes - 1);
    y[z * 16 + i] = 0.5f * (x[below * 16 + i] + x[above * 16 + i]);
  }
}
