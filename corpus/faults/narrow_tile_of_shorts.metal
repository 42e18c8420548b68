// A tile keeps 16 bits of each number that the threads load.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: int 32*140000
// in 1: int 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const int* x, device int* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup short tile[32];
  tile[t] = x[t];  // check: narrowed
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = tile[31 - t];
}
kernel void fixed(device const int* x, device int* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup int tile[32];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = tile[31 - t];
}
