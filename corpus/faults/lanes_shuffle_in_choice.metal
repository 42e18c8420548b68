// The shuffle lies in one arm of `?:`.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  const float v = x[t];
  x[t] = lane < 31 ? simd_shuffle_down(v, 1) : v;  // check: inactive_lane
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  const float v = x[t];
  const float right = simd_shuffle_down(v, 1);
  x[t] = lane < 31 ? right : v;
}
