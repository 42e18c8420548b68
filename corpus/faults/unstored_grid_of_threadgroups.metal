// The host passes the number of threadgroups where dispatchThreads wants threads.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 64
// in 0: float 1..256
// out 1: float 256*0
// in 2: uint 256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = 2 * x[i];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  for (uint k = i; k < n; k += threads) y[k] = 2 * x[k];
}
