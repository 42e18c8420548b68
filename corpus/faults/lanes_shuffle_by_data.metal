// A number from a buffer chooses the lane and may be too large.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0..63
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device const uint* order, uint t [[thread_index_in_threadgroup]]) {
  x[t] = simd_shuffle(x[t], ushort(order[t]));  // check: inactive_lane
}
kernel void fixed(device float* x, device const uint* order, uint t [[thread_index_in_threadgroup]]) {
  x[t] = simd_shuffle(x[t], ushort(order[t] & 31));
}
