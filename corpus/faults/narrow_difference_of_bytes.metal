// The difference of two bytes has nine bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uchar 250 10 128 0
// in 1: uchar 5 20 127 255
// in 2: int 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uchar* a, device const uchar* b, device int* y, uint i [[thread_position_in_grid]]) {
  const char difference = a[i] - b[i];  // check: narrowed
  y[i] = difference * difference;
}
kernel void fixed(device const uchar* a, device const uchar* b, device int* y, uint i [[thread_position_in_grid]]) {
  const short difference = a[i] - b[i];
  y[i] = difference * difference;
}
