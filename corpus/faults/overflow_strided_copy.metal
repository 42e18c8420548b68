// The offset of a strided copy is computed in 32 bits. public bug: mlx, copy of large arrays
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 1..64
// in 1: uint 1073741824
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& stride, uint t [[thread_index_in_threadgroup]]) {
  x[t * stride * 4] = 1;  // check: index_overflow
}
kernel void fixed(device float* x, constant uint& stride, uint t [[thread_index_in_threadgroup]]) {
  const ulong at = ulong(t) * stride * 4;
  if (at < 64) x[at] = 1;
}
