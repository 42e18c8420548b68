// One thread sets a counter to zero, and the others count at once.
// grid: 64
// threadgroup: 64
// in 0: uint 7
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* counter, uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) atomic_store_explicit(counter, 0u, memory_order_relaxed);
  atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);  // lint: hazard.device_race; check: race
}
kernel void fixed(device atomic_uint* counter, uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) atomic_store_explicit(counter, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_device);
  atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
}
