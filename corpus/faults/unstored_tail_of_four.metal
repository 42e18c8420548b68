// Each thread takes four elements, and the last ones do not fill four.
// missed by lint: the values of the host and of buffers are not known
// grid: 65
// threadgroup: 64
// in 0: float 1..257
// out 1: float 257*0
// in 2: uint 257
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (4 * i + 4 > n) return;
  for (uint k = 0; k < 4; ++k) y[4 * i + k] = 2 * x[4 * i + k];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  for (uint k = 4 * i; k < min(4 * i + 4, n); ++k) y[k] = 2 * x[k];
}
