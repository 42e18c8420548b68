// A distance of 32 leads to no lane.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float v = x[t];
  v += simd_shuffle_xor(v, 32);  // lint: hazard.simd_lane; check: inactive_lane
  x[t] = v;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float v = x[t];
  v += simd_shuffle_xor(v, 16);
  x[t] = v;
}
