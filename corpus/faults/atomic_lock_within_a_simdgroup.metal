// The lanes of a simdgroup wait for a lock that one of them holds until the loop ends.
// grid: 32
// threadgroup: 32
// in 0: uint 0
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* lock, device atomic_uint* sum) {
  while (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) != 0) {  // lint: hazard.simdgroup_lock; check: endless_loop
  }
  atomic_fetch_add_explicit(sum, 1u, memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* lock, device atomic_uint* sum) {
  atomic_fetch_add_explicit(sum, 1u, memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
