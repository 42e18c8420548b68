// Two elements change places in each thread; an odd length has a middle one without a partner.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 1..65
// out 1: float 65*0
// in 2: uint 65
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i >= n / 2) return;
  y[i] = x[n - 1 - i];  // check: unstored
  y[n - 1 - i] = x[i];
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i >= (n + 1) / 2) return;
  const float front = x[i];
  y[i] = x[n - 1 - i];
  y[n - 1 - i] = front;
}
