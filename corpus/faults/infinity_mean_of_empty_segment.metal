// The mean of a segment without elements is zero by zero.
// missed by lint: the values of the host and of buffers are not known
// grid: 3
// threadgroup: 3
// in 0: uint 0 4 4 8
// in 1: float 1..8
// in 2: float 3*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* begin, device const float* x, device float* mean,
                   uint segment [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = begin[segment]; k < begin[segment + 1]; ++k) sum += x[k];
  mean[segment] = sum / float(begin[segment + 1] - begin[segment]);  // check: not_finite
}
kernel void fixed(device const uint* begin, device const float* x, device float* mean,
                  uint segment [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = begin[segment]; k < begin[segment + 1]; ++k) sum += x[k];
  mean[segment] = sum / float(max(begin[segment + 1] - begin[segment], 1u));
}
