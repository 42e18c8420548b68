// The value comes from a lane that skips the branch.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  if (lane > 3) v -= simd_broadcast(v, 0);  // check: inactive_lane
  x[t] = v;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  const float first = simd_broadcast(v, 0);
  if (lane > 3) v -= first;
  x[t] = v;
}
