// The left neighbour's element is read right after the stores.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = x[t];
  x[t] = t > 0 ? tile[t - 1] : 0.0f;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = t > 0 ? tile[t - 1] : 0.0f;
}
