// Odd lanes read the left lane, which is not there.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  if (lane % 2 == 1) v += simd_shuffle_up(v, 1);  // check: inactive_lane
  x[t] = v;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  const float left = simd_shuffle_up(v, 1);
  if (lane % 2 == 1) v += left;
  x[t] = v;
}
