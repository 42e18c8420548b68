// grid: 256
// threadgroup: 256
// in 0: float 1..1024
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];  // check: race
  simdgroup_float8x8 matrix;
  simdgroup_load(matrix, tile, 8);  // lint: hazard.threadgroup_race; check: race uninitialised
  simdgroup_store(matrix, y, 8);  // check: race
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[512];
  tile[t] = x[t];
  simdgroup_float8x8 matrix;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  simdgroup_load(matrix, tile, 8);
  simdgroup_store(matrix, y, 8);
}
