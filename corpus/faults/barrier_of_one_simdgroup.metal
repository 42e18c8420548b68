// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[512];
  if (t == 0) tile[width] = 0;
  tile[t] = x[t];  // check: race
  simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  x[t] = tile[t + 1];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[512];
  if (t == 0) tile[width] = 0;
  tile[t] = x[t];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t ^ 1];
}
