// Pairs of floats are read at an odd float of a threadgroup array.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 128*0
#include <metal_stdlib>
using namespace metal;
struct Pair {
  float2 both;
};
kernel void faulty(device const float* x, device Pair* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[66];
  line[t] = x[t];
  if (t < 2) line[64 + t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup const Pair* pair = (threadgroup const Pair*)(line + t);
  y[t] = *pair;  // check: misaligned
}
kernel void fixed(device const float* x, device Pair* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[66];
  line[t] = x[t];
  if (t < 2) line[64 + t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup const Pair* pair = (threadgroup const Pair*)(line + (t & ~1u));
  y[t] = *pair;
}
