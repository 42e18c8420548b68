// A filter of three elements leaves out the first and the last.
// missed by lint: the values of the host and of buffers are not known
// grid: 40
// threadgroup: 20
// in 0: float 1..40
// out 1: float 40*0
// in 2: uint 40
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i > 0 && i + 1 < n) y[i] = median3(x[i - 1], x[i], x[i + 1]);  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = median3(x[i > 0 ? i - 1 : 0], x[i], x[min(i + 1, n - 1)]);
}
