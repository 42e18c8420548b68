// Threads beyond the end return before the barriers of a tile. public bug: CUDA matrix products
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 50
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint t [[thread_position_in_grid]]) {
  threadgroup float tile[64];
  if (t >= n) return;
  tile[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
  x[t] = tile[t ^ 1];
}
kernel void fixed(device float* x, constant uint& n, uint t [[thread_position_in_grid]]) {
  threadgroup float tile[64];
  tile[t] = t < n ? x[t] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < n) x[t] = tile[t ^ 1];
}
