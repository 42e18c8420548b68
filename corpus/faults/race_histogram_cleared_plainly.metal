// Counters are cleared through a plain pointer while faster threads already count.
// grid: 64
// threadgroup: 64
// in 0: uint 64*3
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* bins, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint counts[64];
  ((threadgroup uint*)counts)[t] = 0;  // lint: hazard.threadgroup_race
  atomic_fetch_add_explicit(&counts[u[t] & 63], 1, memory_order_relaxed);  // check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bins[t] = atomic_load_explicit(&counts[t], memory_order_relaxed);
}
kernel void fixed(device const uint* u, device uint* bins, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint counts[64];
  ((threadgroup uint*)counts)[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&counts[u[t] & 63], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bins[t] = atomic_load_explicit(&counts[t], memory_order_relaxed);
}
