// Marks say which nodes were visited, and the other launch sets them, too.
// missed by lint: a source does not say which launches overlap
// grid: 16
// threadgroup: 16
// launches: 2 concurrent
// in 0: uint 16*0
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* visited, device atomic_uint* count, uint i [[thread_position_in_grid]]) {
  if (visited[i]) return;  // check: race
  visited[i] = 1;
  atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* visited, device atomic_uint* count, uint i [[thread_position_in_grid]]) {
  if (atomic_exchange_explicit(&visited[i], 1u, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
}
