// Only the threads below the row's length shuffle, with values of those beyond it. public bug: PyTorch, norms
// missed by lint: the condition compares with an argument, so that which lanes take part is not known
// grid: 32
// threadgroup: 32
// in 0: float 1..32
// in 1: uint 20
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  if (t < n) {
    float v = x[t];
    for (ushort d = 16; d > 0; d /= 2) v += simd_shuffle_xor(v, d);  // check: inactive_lane
    x[t] = v;
  }
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
  float v = t < n ? x[t] : 0;
  for (ushort d = 16; d > 0; d /= 2) v += simd_shuffle_xor(v, d);
  if (t < n) x[t] = v;
}
