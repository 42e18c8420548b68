// The matrices of two simdgroups overlap in threadgroup memory.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float tile[128];
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(float(s));
  simdgroup_store(m, tile + s * 32, 8);  // lint: hazard.threadgroup_race; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float tile[128];
  simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(float(s));
  simdgroup_store(m, tile + s * 64, 8);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = tile[t];
}
