// Bytes of a private array are read as words at any place.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uchar bytes[12];
  for (uint k = 0; k < 12; ++k) bytes[k] = uchar(u[t] + k);
  y[t] = *(thread const ushort*)(bytes + (u[t] & 7));  // check: misaligned
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uchar bytes[12];
  for (uint k = 0; k < 12; ++k) bytes[k] = uchar(u[t] + k);
  y[t] = *(thread const ushort*)(bytes + (u[t] & 6));
}
