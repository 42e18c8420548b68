// A sum of signed numbers leaves their range.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: int 64*2147483647
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device int* v, uint t [[thread_index_in_threadgroup]]) {
  v[t] += int(t);  // check: signed_overflow
}
kernel void fixed(device int* v, uint t [[thread_index_in_threadgroup]]) { v[t] -= int(t); }
