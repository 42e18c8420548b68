// A total in bfloat no longer grows when its parts are ones.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: bfloat 250
// in 1: bfloat 20*1
// in 2: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const bfloat* start, device const bfloat* parts, device float* y) {
  bfloat total = start[0];
  for (uint k = 0; k < 20; ++k) total = parts[k] + total;  // check: absorbed
  y[0] = total;
}
kernel void fixed(device const bfloat* start, device const bfloat* parts, device float* y) {
  float total = start[0];
  for (uint k = 0; k < 20; ++k) total = float(parts[k]) + total;
  y[0] = total;
}
