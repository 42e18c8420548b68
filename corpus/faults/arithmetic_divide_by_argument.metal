// The divisor comes from the host and is zero.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, constant uint& parts, uint t [[thread_index_in_threadgroup]]) {
  u[t] /= parts;  // check: division_by_zero
}
kernel void fixed(device uint* u, constant uint& parts, uint t [[thread_index_in_threadgroup]]) {
  u[t] /= max(parts, 1u);
}
