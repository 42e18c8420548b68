// The difference of two counts is below zero, and the variable has no sign.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: ushort 5 6 7 8
// in 1: ushort 4 6 8 1
// in 2: int 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const ushort* a, device const ushort* b, device int* y,
                   uint i [[thread_position_in_grid]]) {
  const ushort difference = a[i] - b[i];  // check: narrowed
  y[i] = difference * 2;
}
kernel void fixed(device const ushort* a, device const ushort* b, device int* y,
                  uint i [[thread_position_in_grid]]) {
  const int difference = a[i] - b[i];
  y[i] = difference * 2;
}
