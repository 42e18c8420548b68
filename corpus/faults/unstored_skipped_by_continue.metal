// A loop over the taps of a filter goes on before it stores where a tap is zero.
// missed by lint: the values of the host and of buffers are not known
// grid: 16
// threadgroup: 16
// in 0: float 1..16
// in 1: float 2 0 1
// out 2: float 48*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device const float* taps, device float* y,
                   uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 3; ++k) {
    if (taps[k] == 0) continue;
    y[3 * i + k] = taps[k] * x[i];  // check: unstored
  }
}
kernel void fixed(device const float* x, device const float* taps, device float* y,
                  uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 3; ++k) y[3 * i + k] = taps[k] == 0 ? 0 : taps[k] * x[i];
}
