// A brighter pixel wraps around before it is stored in eight bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uchar 10 100 200 255
// in 1: uchar 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uchar* x, device uchar* y, uint i [[thread_position_in_grid]]) {
  const int brighter = x[i] * 3 / 2;
  y[i] = brighter;  // check: narrowed
}
kernel void fixed(device const uchar* x, device uchar* y, uint i [[thread_position_in_grid]]) {
  const int brighter = x[i] * 3 / 2;
  y[i] = min(brighter, 255);
}
