// One simdgroup loads what the other one uses.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint lane [[thread_index_in_simdgroup]],
                   uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float staged[32];
  if (s == 0) staged[lane] = x[lane];
  if (s == 1) x[32 + lane] += staged[lane];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint lane [[thread_index_in_simdgroup]],
                  uint s [[simdgroup_index_in_threadgroup]]) {
  threadgroup float staged[32];
  if (s == 0) staged[lane] = x[lane];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (s == 1) x[32 + lane] += staged[lane];
}
