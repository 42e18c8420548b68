// A reduction for 64 lanes.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  for (ushort reach = 32; reach > 0; reach /= 2) v += simd_shuffle_down(v, reach);  // lint: hazard.simd_lane; check: inactive_lane
  if (lane == 0) x[t] = v;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint lane [[thread_index_in_simdgroup]]) {
  float v = x[t];
  for (ushort reach = 16; reach > 0; reach /= 2) v += simd_shuffle_down(v, reach);
  if (lane == 0) x[t] = v;
}
