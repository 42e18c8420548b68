// A thread waits until a flag is zero that it has set itself.
// missed by lint: atomic operations are not followed from one to the next
// grid: 2
// threadgroup: 2
// in 0: uint 0 0
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* wants, device atomic_uint* sum, uint i [[thread_position_in_grid]]) {
  atomic_store_explicit(&wants[i], 1u, memory_order_relaxed);
  while (atomic_load_explicit(&wants[1 - i], memory_order_relaxed) == 1) {  // check: endless_loop
  }
  atomic_fetch_add_explicit(sum, 1u, memory_order_relaxed);
  atomic_store_explicit(&wants[i], 0u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* wants, device atomic_uint* sum, uint i [[thread_position_in_grid]]) {
  atomic_store_explicit(&wants[i], 1u, memory_order_relaxed);
  atomic_fetch_add_explicit(sum, 1u, memory_order_relaxed);
  atomic_store_explicit(&wants[i], 0u, memory_order_relaxed);
}
