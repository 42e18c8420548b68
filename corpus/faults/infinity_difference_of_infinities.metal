// Distances start as infinite, and the improvement is the difference of two of them.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 4 inf 2 9
// in 1: float 3 inf 2 1
// in 2: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* before, device const float* after, device float* gain,
                   uint i [[thread_position_in_grid]]) {
  gain[i] = before[i] - after[i];  // check: not_finite
}
kernel void fixed(device const float* before, device const float* after, device float* gain,
                  uint i [[thread_position_in_grid]]) {
  gain[i] = isinf(before[i]) ? 0 : before[i] - after[i];
}
