#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_none);  // expect: [hazard.barrier_flags]
  x[t] = tile[t + 1];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t + 1];
}
