// The list has room for all threads that ask, and not for all that then take a slot.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: uint 0
// in 1: uint 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  if (atomic_load_explicit(count, memory_order_relaxed) >= 16) return;
  list[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] = i;  // check: out_of_bounds
}
kernel void fixed(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  if (slot < 16) list[slot] = i;
}
