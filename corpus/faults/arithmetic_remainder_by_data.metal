// The divisor of a remainder comes from a buffer and is zero.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
// in 1: uint 0..63
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, device const uint* period, uint t [[thread_index_in_threadgroup]]) {
  u[t] = u[t] % period[t];  // check: division_by_zero
}
kernel void fixed(device uint* u, device const uint* period, uint t [[thread_index_in_threadgroup]]) {
  u[t] = period[t] ? u[t] % period[t] : 0;
}
