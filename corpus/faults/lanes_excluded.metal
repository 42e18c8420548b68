// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint lane [[thread_index_in_simdgroup]],
                   uint t [[thread_index_in_threadgroup]]) {
  float v = x[t];
  if (lane < 16) v += simd_shuffle_xor(v, 16);  // lint: hazard.simd_lane; check: inactive_lane
  x[t] = v;
}
kernel void fixed(device float* x, uint lane [[thread_index_in_simdgroup]],
                  uint t [[thread_index_in_threadgroup]]) {
  float v = x[t];
  const float other = simd_shuffle_xor(v, 16);
  if (lane < 16) v += other;
  x[t] = v;
}
