// A count in bfloat stays at 256.
// grid: 1
// threadgroup: 1
// in 0: uint 300
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(constant uint& n, device float* y) {
  bfloat count = 0;
  for (uint k = 0; k < n; ++k) count = count + bfloat(1);  // lint: hazard.half_sum; check: absorbed
  y[0] = count;
}
kernel void fixed(constant uint& n, device float* y) {
  uint count = 0;
  for (uint k = 0; k < n; ++k) ++count;
  y[0] = count;
}
