// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint width [[threads_per_threadgroup]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];  // check: race
  if (t == 0) {
    float sum = 0;
    for (uint i = 0; i < width; ++i) sum += tile[i];  // lint: hazard.threadgroup_race; check: race uninitialised
    x[0] = sum;
  }
}
kernel void fixed(device float* x, uint width [[threads_per_threadgroup]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float sum = 0;
    for (uint i = 0; i < width; ++i) sum += tile[i];
    x[0] = sum;
  }
}
