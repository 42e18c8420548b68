// Each thread writes one byte of a word that all four read.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uchar bytes[64];
  bytes[t] = uchar(u[t]);
  u[t] = ((threadgroup uint*)bytes)[t / 4];  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uchar bytes[64];
  bytes[t] = uchar(u[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  u[t] = ((threadgroup uint*)bytes)[t / 4];
}
