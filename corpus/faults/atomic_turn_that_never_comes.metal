// Threads take turns by a ticket, and the one that is served never passes the turn on.
// missed by lint: atomic operations are not followed from one to the next
// grid: 3
// threadgroup: 1
// in 0: uint 0
// in 1: uint 0
// in 2: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* ticket, device atomic_uint* served, device atomic_uint* work) {
  const uint mine = atomic_fetch_add_explicit(ticket, 1u, memory_order_relaxed);
  while (atomic_load_explicit(served, memory_order_relaxed) != mine) {  // check: endless_loop
  }
  atomic_fetch_add_explicit(work, mine, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* ticket, device atomic_uint* served, device atomic_uint* work) {
  const uint mine = atomic_fetch_add_explicit(ticket, 1u, memory_order_relaxed);
  while (atomic_load_explicit(served, memory_order_relaxed) != mine) {
  }
  atomic_fetch_add_explicit(work, mine, memory_order_relaxed);
  atomic_fetch_add_explicit(served, 1u, memory_order_relaxed);
}
