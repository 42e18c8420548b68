// Weights by the inverse of a distance, at a point that is one of the samples.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 0 1 2.5 3
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* at, device float* y, uint i [[thread_position_in_grid]]) {
  float sum = 0, weights = 0;
  for (uint k = 0; k < 4; ++k) {
    const float weight = 1 / abs(at[i] - float(k));  // check: not_finite
    sum += weight * float(k);
    weights += weight;
  }
  y[i] = sum / weights;
}
kernel void fixed(device const float* at, device float* y, uint i [[thread_position_in_grid]]) {
  float sum = 0, weights = 0;
  for (uint k = 0; k < 4; ++k) {
    const float weight = 1 / max(abs(at[i] - float(k)), 1e-6f);
    sum += weight * float(k);
    weights += weight;
  }
  y[i] = sum / weights;
}
