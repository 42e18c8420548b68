#include <metal_stdlib>
using namespace metal;
void put(threadgroup float* values, uint at, float value) { values[at] = value; }
float get(threadgroup float* values, uint at) { return values[at]; }
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  put(tile, t, x[t]);
  x[t] = get(tile, t + 1);  // expect: [hazard.threadgroup_race]
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  put(tile, t, x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = get(tile, t + 1);
}
