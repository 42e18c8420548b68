// A thread with nothing to add returns and keeps the lock.
// missed by lint: atomic operations are not followed from one to the next
// grid: 4
// threadgroup: 1
// in 0: uint 0
// in 1: int 3 0 5 7
// in 2: int 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* lock, device const int* x, device atomic_int* sum,
                   uint i [[thread_position_in_grid]]) {
  while (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 1) {  // check: endless_loop
  }
  if (x[i] == 0) return;
  atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* lock, device const int* x, device atomic_int* sum,
                  uint i [[thread_position_in_grid]]) {
  if (x[i] == 0) return;
  while (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 1) {
  }
  atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
