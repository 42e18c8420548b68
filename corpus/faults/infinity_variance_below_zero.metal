// The mean of squares minus the square of the mean falls below zero by rounding.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: float 8192.1 8192.1 8192.1
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* deviation) {
  const float mean = (x[0] + x[1] + x[2]) * 0.33333334f;
  const float squares = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) * 0.33333325f;
  deviation[0] = sqrt(squares - mean * mean);  // check: not_finite
}
kernel void fixed(device const float* x, device float* deviation) {
  const float mean = (x[0] + x[1] + x[2]) * 0.33333334f;
  float sum = 0;
  for (uint k = 0; k < 3; ++k) sum += (x[k] - mean) * (x[k] - mean);
  deviation[0] = sqrt(sum * 0.33333325f);
}
