// The slot is what the counter held before the atomic sum, which another thread may have seen, too.
// missed by lint: atomic operations are not followed from one to the next
// grid: 64
// threadgroup: 32
// in 0: uint 0
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_load_explicit(count, memory_order_relaxed);
  atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  list[slot] = i + 1;  // check: race
}
kernel void fixed(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  list[slot] = i + 1;
}
