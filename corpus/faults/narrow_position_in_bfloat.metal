// A position becomes a bfloat, which has even numbers only from 256 on.
// missed by lint: the values of the host and of buffers are not known
// grid: 512
// threadgroup: 64
// in 0: bfloat 512*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device bfloat* y, uint i [[thread_position_in_grid]]) {
  bfloat place = i;  // check: narrowed
  y[i] = place;
}
kernel void fixed(device bfloat* y, uint i [[thread_position_in_grid]]) {
  bfloat place = i % 256;
  y[i] = place;
}
