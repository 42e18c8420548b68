// A barrier of the simdgroup stands where the data come from other simdgroups.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];  // check: race
  simdgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.simd_does_not_fence
  x[t] = line[63 - t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
