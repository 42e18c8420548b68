// A number is cut into a short before it is limited.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: int 5 500 50000 100000
// in 1: int 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const int* x, device int* y, uint i [[thread_position_in_grid]]) {
  const short value = x[i];  // check: narrowed
  y[i] = min(value, short(1000));
}
kernel void fixed(device const int* x, device int* y, uint i [[thread_position_in_grid]]) {
  y[i] = min(x[i], 1000);
}
