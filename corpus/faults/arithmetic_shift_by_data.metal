// A shift by more bits than the word has.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  u[t] = 1u << u[t];  // check: shift_out_of_range
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) { u[t] = 1u << (u[t] & 31); }
