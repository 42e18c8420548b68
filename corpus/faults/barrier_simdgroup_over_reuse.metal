// The tile is filled again behind a barrier of the simdgroup.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  float sum = 0;
  for (uint k = 0; k < 3; ++k) {
    tile[t] = x[k * width + t];  // check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += tile[63 - t];  // lint: hazard.threadgroup_race; check: race
    simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  }
  y[t] = sum;
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[64];
  float sum = 0;
  for (uint k = 0; k < 3; ++k) {
    tile[t] = x[k * width + t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum += tile[63 - t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = sum;
}
