// A maximum by comparison and store: a larger value may be replaced by a smaller one.
// missed by lint: atomic operations are not followed from one to the next
// grid: 128
// threadgroup: 64
// in 0: uint 0
// in 1: uint 1..128
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* most, device const uint* x, uint i [[thread_position_in_grid]]) {
  if (x[i] > atomic_load_explicit(most, memory_order_relaxed))
    atomic_store_explicit(most, x[i], memory_order_relaxed);  // check: race
}
kernel void fixed(device atomic_uint* most, device const uint* x, uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit(most, x[i], memory_order_relaxed);
}
