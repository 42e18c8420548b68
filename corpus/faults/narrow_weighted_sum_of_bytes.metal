// Three products of bytes are added up in a byte.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: uchar 10 20 30 200 200 200
// in 1: uint 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uchar* rgb, device uint* grey, uint i [[thread_position_in_grid]]) {
  uchar sum = rgb[3 * i];
  sum = sum + rgb[3 * i + 1];  // check: narrowed
  sum = sum + rgb[3 * i + 2];  // check: narrowed
  grey[i] = sum / 3;
}
kernel void fixed(device const uchar* rgb, device uint* grey, uint i [[thread_position_in_grid]]) {
  uint sum = rgb[3 * i];
  sum = sum + rgb[3 * i + 1];
  sum = sum + rgb[3 * i + 2];
  grey[i] = sum / 3;
}
