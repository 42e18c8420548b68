// A threadgroup's total in half no longer grows when its parts are ones.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: half 2040
// in 1: half 20*1
// in 2: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const half* start, device const half* parts, device float* y) {
  half total = start[0];
  for (uint k = 0; k < 20; ++k) total = parts[k] + total;  // check: absorbed
  y[0] = total;
}
kernel void fixed(device const half* start, device const half* parts, device float* y) {
  float total = start[0];
  for (uint k = 0; k < 20; ++k) total = parts[k] + total;
  y[0] = total;
}
