// The middle of two large numbers by their sum.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: float 3e38 2e38
// in 1: float 2e38 3e38
// in 2: float 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* low, device const float* high, device float* middle,
                   uint i [[thread_position_in_grid]]) {
  middle[i] = (low[i] + high[i]) / 2;  // check: not_finite
}
kernel void fixed(device const float* low, device const float* high, device float* middle,
                  uint i [[thread_position_in_grid]]) {
  middle[i] = low[i] / 2 + high[i] / 2;
}
