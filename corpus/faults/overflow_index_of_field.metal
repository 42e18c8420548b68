// A product of 32 bits wraps around before it becomes an index.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 65536
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& pitch, uint t [[thread_index_in_threadgroup]]) {
  const uint at = t * pitch * pitch;
  x[at + t] *= 2;  // check: index_overflow
}
kernel void fixed(device float* x, constant uint& pitch, uint t [[thread_index_in_threadgroup]]) {
  const uint at = 0;
  x[at + t] *= 2;
}
