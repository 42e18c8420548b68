// A loop steps by twice the number of threads, so that every second block is left out.
// missed by lint: the values of the host and of buffers are not known
// says: no thread stores element 32 of y: 64 of 127 elements are stored
// says: the launch of faulty has 32 threads in threadgroups of 32
// grid: 32
// threadgroup: 32
// in 0: float 1..127
// out 1: float 127*0
// in 2: uint 127
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]],
                   uint threads [[threads_per_grid]]) {
  for (uint k = i; k < n; k += 2 * threads) y[k] = 2 * x[k];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, constant uint& n, uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  for (uint k = i; k < n; k += threads) y[k] = 2 * x[k];
}
