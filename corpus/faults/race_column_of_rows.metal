// Each thread writes its row and reads its column.
// grid: 8
// threadgroup: 8
// in 0: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float square[8][9];
  for (uint k = 0; k < 8; ++k) square[t][k] = x[8 * t + k];
  for (uint k = 0; k < 8; ++k) x[8 * t + k] = square[k][t];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float square[8][9];
  for (uint k = 0; k < 8; ++k) square[t][k] = x[8 * t + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 8; ++k) x[8 * t + k] = square[k][t];
}
