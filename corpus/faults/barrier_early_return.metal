// Threads beyond the end return in front of a barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 50
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  if (i >= n) return;
  line[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
  x[i] = line[0];
}
kernel void fixed(device float* x, constant uint& n, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = i < n ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) x[i] = line[0];
}
