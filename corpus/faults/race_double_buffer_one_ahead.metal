// The next tile goes into the other half, and the barrier before its use is missing.
// grid: 64
// threadgroup: 64
// in 0: float 1..320
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tiles[2][64];
  float sum = 0;
  tiles[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 4; ++k) {
    tiles[(k + 1) % 2][t] = x[(k + 1) * 64 + t];  // check: race
    sum += tiles[k % 2][63 - t];  // lint: hazard.threadgroup_race; check: race uninitialised
  }
  y[t] = sum;
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tiles[2][64];
  float sum = 0;
  tiles[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = 0; k < 4; ++k) {
    tiles[(k + 1) % 2][t] = x[(k + 1) * 64 + t];
    sum += tiles[k % 2][63 - t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = sum;
}
