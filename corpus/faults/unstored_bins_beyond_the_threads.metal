// A histogram of the threadgroup has more bins than the threadgroup has threads.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
// out 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* x, device uint* counts, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint bins[64];
  for (uint k = t; k < 64; k += 32) atomic_store_explicit(&bins[k], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&bins[x[t] % 64], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  counts[t] = atomic_load_explicit(&bins[t], memory_order_relaxed);  // check: unstored
}
kernel void fixed(device const uint* x, device uint* counts, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint bins[64];
  for (uint k = t; k < 64; k += 32) atomic_store_explicit(&bins[k], 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&bins[x[t] % 64], 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint k = t; k < 64; k += 32) counts[k] = atomic_load_explicit(&bins[k], memory_order_relaxed);
}
