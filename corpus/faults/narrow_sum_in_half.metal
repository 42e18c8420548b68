// Floats are summed into a half, until each is less than half a step of it.
// grid: 1
// threadgroup: 1
// in 0: float 400*30.5
// in 1: float 0
// in 2: uint 400
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& n) {
  half sum = 32768;
  for (uint k = 0; k < n; ++k) sum += x[k] / 8;  // lint: hazard.half_sum; check: absorbed
  y[0] = sum;
}
kernel void fixed(device const float* x, device float* y, constant uint& n) {
  float sum = 32768;
  for (uint k = 0; k < n; ++k) sum += x[k] / 8;
  y[0] = sum;
}
