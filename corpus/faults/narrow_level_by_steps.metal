// A level of eight bits is raised by steps until it wraps around.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: uint 100 100 100
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* steps, device uint* y) {
  uchar level = 0;
  for (uint k = 0; k < 3; ++k) level += steps[k];  // check: narrowed
  y[0] = level;
}
kernel void fixed(device const uint* steps, device uint* y) {
  uint level = 0;
  for (uint k = 0; k < 3; ++k) level += steps[k];
  y[0] = level;
}
