// The shuffle lies behind `&&`.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  const uint mine = u[t] % 5;
  const bool same = lane > 0 && simd_shuffle_up(mine, 1) == mine;  // check: inactive_lane
  y[t] = same ? 1 : 2;
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  const uint mine = u[t] % 5;
  const uint left = simd_shuffle_up(mine, 1);
  const bool same = lane > 0 && left == mine;
  y[t] = same ? 1 : 2;
}
