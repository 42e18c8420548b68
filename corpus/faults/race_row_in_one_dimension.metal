// grid: 16 16
// threadgroup: 16 16
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint2 p [[thread_position_in_threadgroup]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[p.y * 16 + p.x] = x[t];
  float sum = 0;
  for (uint k = 0; k < 16; ++k) sum += tile[p.y * 16 + k];  // lint: hazard.threadgroup_race; check: race
  x[t] = sum;
}
kernel void fixed(device float* x, uint2 p [[thread_position_in_threadgroup]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[p.y * 16 + p.x] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 16; ++k) sum += tile[p.y * 16 + k];
  x[t] = sum;
}
