// An index that another thread computes is used too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint order[64];
  order[63 - t] = t;  // check: race
  u[64 + order[t]] = u[t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint order[64];
  order[63 - t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  u[64 + order[t]] = u[t];
}
