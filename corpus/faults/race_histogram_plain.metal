// A histogram in threadgroup memory counts with plain additions.
// grid: 64
// threadgroup: 64
// in 0: uint 64*3
// in 1: uint 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* bins, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint local[16];
  if (t < 16) local[t] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  local[u[t] & 15] += 1;  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) bins[t] = local[t];
}
kernel void fixed(device const uint* u, device uint* bins, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint local[16];
  threadgroup atomic_uint counts[16];
  if (t < 16) atomic_store_explicit(&counts[t], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&counts[u[t] & 15], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) bins[t] = local[t] = atomic_load_explicit(&counts[t], memory_order_relaxed);
}
