// The square of a large number, under a root that would have brought it back.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 3e19 4e19 6e19 8e19
// in 1: float 4e19 3e19 8e19 6e19
// in 2: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device const float* y, device float* length,
                   uint i [[thread_position_in_grid]]) {
  length[i] = sqrt(x[i] * x[i] + y[i] * y[i]);  // check: not_finite
}
kernel void fixed(device const float* x, device const float* y, device float* length,
                  uint i [[thread_position_in_grid]]) {
  const float most = max(abs(x[i]), abs(y[i])), least = min(abs(x[i]), abs(y[i]));
  const float ratio = most == 0 ? 0 : least / most;
  length[i] = most * sqrt(1 + ratio * ratio);
}
