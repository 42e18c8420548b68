// The larger of two counts is chosen, and the choice has 16 bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uint 1 70000 3 4
// in 1: uint 2 5 90000 1
// in 2: uint 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* a, device const uint* b, device uint* y, uint i [[thread_position_in_grid]]) {
  const ushort larger = a[i] > b[i] ? a[i] : b[i];  // check: narrowed
  y[i] = larger + 1;
}
kernel void fixed(device const uint* a, device const uint* b, device uint* y, uint i [[thread_position_in_grid]]) {
  const uint larger = a[i] > b[i] ? a[i] : b[i];
  y[i] = larger + 1;
}
