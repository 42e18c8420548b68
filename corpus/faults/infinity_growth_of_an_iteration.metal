// A step that is too long makes an iteration grow until it is infinite.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: float 1
// in 1: uint 200
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& steps) {
  float at = x[0];
  for (uint k = 0; k < steps; ++k) at = at - 3 * at;  // check: not_finite
  x[0] = at;
}
kernel void fixed(device float* x, constant uint& steps) {
  float at = x[0];
  for (uint k = 0; k < steps; ++k) at = at - 0.5f * at;
  x[0] = at;
}
