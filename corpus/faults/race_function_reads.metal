// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
float total(threadgroup const float* values, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; ++i) sum += values[i];  // check: race uninitialised
  return sum;
}
kernel void faulty(device float* x, uint width [[threads_per_threadgroup]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];  // check: race
  x[t] = total(tile, width);  // lint: hazard.threadgroup_race
}
kernel void fixed(device float* x, uint width [[threads_per_threadgroup]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = total(tile, width);
}
