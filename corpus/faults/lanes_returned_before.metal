// Lanes beyond the end return, and the others shuffle with them.
// missed by lint: only a comparison of the lane with a constant tells which lanes take part
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 40
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  if (t >= n) return;
  float v = t < n ? x[t] : 0.0f;
  v += simd_shuffle_xor(v, 8);  // check: inactive_lane
  x[t] = v;
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  float v = t < n ? x[t] : 0.0f;
  v += simd_shuffle_xor(v, 8);
  if (t < n) x[t] = v;
}
