// The last column of a tile is never filled, and the right neighbour is read there. public bug: CUDA stencils
// missed by lint: which elements of the array have been written is not followed
// grid: 32
// threadgroup: 32
// in 0: float 1..32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[33];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t] + tile[t + 1];  // check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[33];
  tile[t] = x[t];
  if (t == 0) tile[32] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t] + tile[t + 1];
}
