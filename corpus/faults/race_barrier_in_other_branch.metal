// Only the branch that does not share data has the barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& mode, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];  // check: race
  if (mode == 1) threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = mode == 1 ? line[t] : line[63 - t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, constant uint& mode, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = mode == 1 ? line[t] : line[63 - t];
}
