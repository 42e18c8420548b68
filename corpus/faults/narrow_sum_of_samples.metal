// Samples of 16 bits are summed in 16 bits.
// missed by lint: the values of the host and of buffers are not known
// says: thread (0, 0, 0) of threadgroup (0, 0, 0) converts an integer to a narrower type that cannot hold it
// says: with 32 bits in its place, the results are others
// grid: 1
// threadgroup: 1
// in 0: short 8*9000
// in 1: int 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const short* x, device int* sum) {
  short total = 0;
  for (uint k = 0; k < 8; ++k) total += x[k];  // check: narrowed
  sum[0] = total;
}
kernel void fixed(device const short* x, device int* sum) {
  int total = 0;
  for (uint k = 0; k < 8; ++k) total += x[k];
  sum[0] = total;
}
