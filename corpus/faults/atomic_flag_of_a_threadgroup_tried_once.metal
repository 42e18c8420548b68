// Bits of a mask in threadgroup memory are set by an exchange that may fail.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint mask;
  if (t == 0) atomic_store_explicit(&mask, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint seen = atomic_load_explicit(&mask, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(&mask, &seen, seen | 1u << t, memory_order_relaxed, memory_order_relaxed);  // check: lost_update
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) y[0] = atomic_load_explicit(&mask, memory_order_relaxed);
}
kernel void fixed(device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint mask;
  if (t == 0) atomic_store_explicit(&mask, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_or_explicit(&mask, 1u << t, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) y[0] = atomic_load_explicit(&mask, memory_order_relaxed);
}
