// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint lane [[thread_index_in_simdgroup]],
                   uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  for (uint r = 0; r < 4; ++r) {
    const float a = simd_sum(x[r * 256 + t]);
    if (lane == 0) tile[s] = a;  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
      float sum = 0;
      for (uint i = 0; i < 8; ++i) sum += tile[i];
      tile[0] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[r * 256 + t] = tile[0];  // check: race
  }
}
kernel void fixed(device float* x, uint lane [[thread_index_in_simdgroup]],
                  uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  for (uint r = 0; r < 4; ++r) {
    const float a = simd_sum(x[r * 256 + t]);
    if (lane == 0) tile[s] = a;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t == 0) {
      float sum = 0;
      for (uint i = 0; i < 8; ++i) sum += tile[i];
      tile[0] = sum;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[r * 256 + t] = tile[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
