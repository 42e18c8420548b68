// A simdgroup stores a matrix, and all threads read its elements at once.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float tile[64];
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(2.0f);
  if (s == 0) simdgroup_store(m, tile, 8);
  x[t] = tile[t];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float tile[64];
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(2.0f);
  if (s == 0) simdgroup_store(m, tile, 8);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t];
}
