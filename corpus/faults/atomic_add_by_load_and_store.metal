// A sum by an atomic load and an atomic store loses what other threads add between them.
// missed by lint: atomic operations are not followed from one to the next
// grid: 128
// threadgroup: 64
// in 0: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* sum) {
  const uint before = atomic_load_explicit(sum, memory_order_relaxed);
  atomic_store_explicit(sum, before + 1, memory_order_relaxed);  // check: race
}
kernel void fixed(device atomic_uint* sum) {
  atomic_fetch_add_explicit(sum, 1u, memory_order_relaxed);
}
