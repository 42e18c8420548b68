// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint lane [[thread_index_in_simdgroup]],
                   uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  const float v = simd_max(x[t]);
  if (lane == 0) {
    tile[s * 2] = -v;
    tile[s * 2 + 1] = v;
  }
  x[t] -= tile[0];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint lane [[thread_index_in_simdgroup]],
                  uint s [[simdgroup_index_in_threadgroup]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  const float v = simd_max(x[t]);
  if (lane == 0) {
    tile[s * 2] = -v;
    tile[s * 2 + 1] = v;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] -= tile[0];
}
