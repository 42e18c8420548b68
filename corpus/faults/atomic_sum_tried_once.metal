// A sum by an exchange that is not tried again when it fails.
// missed by lint: atomic operations are not followed from one to the next
// says: thread (1, 0, 0) of threadgroup (0, 0, 0) drops its update: another thread changed the place before, so the exchange fails, and the kernel does not look at its result
// grid: 64
// threadgroup: 32
// in 0: uint 0
// in 1: uint 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* sum, device const uint* x, uint i [[thread_position_in_grid]]) {
  uint before = atomic_load_explicit(sum, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(sum, &before, before + x[i], memory_order_relaxed, memory_order_relaxed);  // check: lost_update
}
kernel void fixed(device atomic_uint* sum, device const uint* x, uint i [[thread_position_in_grid]]) {
  uint before = atomic_load_explicit(sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(sum, &before, before + x[i], memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}
