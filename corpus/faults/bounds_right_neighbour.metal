// The last element has no right neighbour.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
// in 2: uint 64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n,
                   uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = x[i + 1] - x[i];  // check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, constant uint& n,
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = x[min(i + 1, n - 1)] - x[i];
}
