// A threadgroup with nothing to add returns and keeps the lock.
// missed by lint: atomic operations are not followed from one to the next
// grid: 128
// threadgroup: 32
// in 0: uint 0
// in 1: int 3 0 5 7
// in 2: int 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* lock, device const int* x, device atomic_int* sum,
                   uint i [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  if (t != 0) return;
  while (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 1) {  // check: endless_loop
  }
  if (x[i] == 0) return;
  atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* lock, device const int* x, device atomic_int* sum,
                  uint i [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  if (t != 0 || x[i] == 0) return;
  while (atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 1) {
  }
  atomic_fetch_add_explicit(sum, x[i], memory_order_relaxed);
  atomic_store_explicit(lock, 0u, memory_order_relaxed);
}
