// The last simdgroup has eight threads, and a shuffle reads from the others.
// missed by lint: the size of the threadgroup is the host's choice
// grid: 40
// threadgroup: 40
// in 0: float 1..40
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  const float other = simd_shuffle_xor(v, 16);  // check: inactive_lane
  v += other;
  x[t] = v + float(lane);
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  const float other = simd_shuffle_xor(v, 16);
  if (t < 32) v += other;
  x[t] = v + float(lane);
}
