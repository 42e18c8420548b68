// A pair of floats is read at an odd float of a threadgroup array.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[72];
  line[t] = x[t];
  if (t < 8) line[64 + t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = (*(threadgroup float2*)(line + t)).y;  // check: misaligned
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[72];
  line[t] = x[t];
  if (t < 8) line[64 + t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = (*(threadgroup float2*)(line + (t & ~1u))).y;
}
