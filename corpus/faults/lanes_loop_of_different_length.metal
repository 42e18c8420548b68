// Lanes that have left the loop are asked for their values.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  uint sum = 0;
  for (uint k = 0; k < lane; ++k) sum += simd_shuffle_xor(u[t] + k, 1);  // check: inactive_lane
  y[t] = sum + lane;
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  uint sum = 0;
  for (uint k = 0; k < 31; ++k) sum += simd_shuffle_xor(u[t] + k, 1);
  y[t] = sum + lane;
}
