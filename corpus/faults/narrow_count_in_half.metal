// A count in half stays at 2048.
// grid: 1
// threadgroup: 1
// in 0: uint 3000
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(constant uint& n, device float* y) {
  half count = 0;
  for (uint k = 0; k < n; ++k) count += 1;  // lint: hazard.half_sum; check: absorbed
  y[0] = count;
}
kernel void fixed(constant uint& n, device float* y) {
  uint count = 0;
  for (uint k = 0; k < n; ++k) count += 1;
  y[0] = count;
}
