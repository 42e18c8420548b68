// A case for each channel but the last one.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 32
// in 0: float 1..64
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  switch (i % 4) {
    case 0: y[i] = 0.299f * x[i]; break;
    case 1: y[i] = 0.587f * x[i]; break;
    case 2: y[i] = 0.114f * x[i]; break;  // check: unstored
  }
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  switch (i % 4) {
    case 0: y[i] = 0.299f * x[i]; break;
    case 1: y[i] = 0.587f * x[i]; break;
    case 2: y[i] = 0.114f * x[i]; break;
    default: y[i] = x[i]; break;
  }
}
