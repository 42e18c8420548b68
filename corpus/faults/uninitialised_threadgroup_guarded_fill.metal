// The threads beyond the end leave their elements unset, and the sum takes them.
// missed by lint: which elements of the array have been written is not followed
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 50
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float line[64];
  if (t < n) line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < width; ++k) sum += line[k];  // check: uninitialised
  x[t] = sum;
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float line[64];
  line[t] = t < n ? x[t] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < width; ++k) sum += line[k];
  x[t] = sum;
}
