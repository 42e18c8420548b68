#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum;
  if (t == 0) sum = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  // missed: updates of one element by all threads are not compared with each other
  sum += x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float sum;
  if (t == 0) {
    sum = 0;
    for (uint i = 0; i < 32; ++i) sum += x[i];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[32 + t] = sum;
}
