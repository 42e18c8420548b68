// Threads set bits of one word by a load and a store.
// missed by lint: atomic operations are not followed from one to the next
// grid: 64
// threadgroup: 64
// in 0: uint 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* bits, uint i [[thread_position_in_grid]]) {
  const uint before = atomic_load_explicit(&bits[i / 32], memory_order_relaxed);
  atomic_store_explicit(&bits[i / 32], before | 1u << (i % 32), memory_order_relaxed);  // check: race
}
kernel void fixed(device atomic_uint* bits, uint i [[thread_position_in_grid]]) {
  atomic_fetch_or_explicit(&bits[i / 32], 1u << (i % 32), memory_order_relaxed);
}
