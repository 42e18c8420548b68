// The last steps of a tree sum rely on threads that run in lockstep.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 32) part[t] += part[t + 32];
  if (t < 16) part[t] += part[t + 16];  // check: race
  if (t < 8) part[t] += part[t + 8];  // check: race
  if (t == 0) x[0] = part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] + part[7];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[64];
  part[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 32) part[t] += part[t + 32];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) part[t] += part[t + 16];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 8) part[t] += part[t + 8];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) x[0] = part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] + part[7];
}
