// A signed product of a batch and its length wraps around.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: int 1073741824
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant int& length, uint t [[thread_index_in_threadgroup]]) {
  const int at = int(t) * length * 4;  // check: signed_overflow
  x[at] = 1;  // check: index_overflow
}
kernel void fixed(device float* x, constant int& length, uint t [[thread_index_in_threadgroup]]) {
  const long at = long(t) * length * 4;
  if (at < 64) x[at] = 1;
}
