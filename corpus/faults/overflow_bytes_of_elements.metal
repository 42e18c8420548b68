// A number of bytes is computed in 32 bits and read back as elements.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 1073741824
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& count, uint t [[thread_index_in_threadgroup]]) {
  const uint bytes = count * 4;
  if (bytes / 4 + t < 64) x[bytes / 4 + t] = 0;  // check: index_overflow
}
kernel void fixed(device float* x, constant uint& count, uint t [[thread_index_in_threadgroup]]) {
  const ulong bytes = ulong(count) * 4;
  if (bytes / 4 + t < 64) x[bytes / 4 + t] = 0;
}
