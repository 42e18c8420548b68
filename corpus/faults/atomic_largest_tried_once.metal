// The largest value so far is exchanged for a larger one, once.
// missed by lint: atomic operations are not followed from one to the next
// grid: 64
// threadgroup: 64
// in 0: int 0
// in 1: int 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_int* most, device const int* x, uint i [[thread_position_in_grid]]) {
  int seen = atomic_load_explicit(most, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(most, &seen, max(seen, x[i]), memory_order_relaxed, memory_order_relaxed);  // check: lost_update
}
kernel void fixed(device atomic_int* most, device const int* x, uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(most, x[i], memory_order_relaxed);
}
