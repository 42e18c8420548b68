// The ends of a line with a halo are never set.
// missed by lint: which elements of the array have been written is not followed
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[66];
  line[t + 1] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t] + line[t + 2];  // check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[66];
  line[t + 1] = x[t];
  if (t == 0) line[0] = line[65] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t] + line[t + 2];
}
