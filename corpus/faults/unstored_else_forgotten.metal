// Values that are not positive are stored nowhere.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float -32..31
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  if (x[i] > 0) y[i] = x[i];  // check: unstored
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i] > 0 ? x[i] : 0.0f;
}
