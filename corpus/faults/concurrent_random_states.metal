// Two launches draw from the same states and move them on.
// missed by lint: a source does not say which launches overlap
// grid: 32
// threadgroup: 32
// launches: 2 concurrent
// in 0: uint 1..32
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* states, device atomic_uint* hits, uint i [[thread_position_in_grid]]) {
  const uint next = states[i] * 1664525u + 1013904223u;  // check: race
  states[i] = next;  // check: race
  if (next >> 31) atomic_fetch_add_explicit(hits, 1u, memory_order_relaxed);
}
kernel void fixed(device const uint* states, device atomic_uint* hits, uint i [[thread_position_in_grid]]) {
  const uint next = states[i] * 1664525u + 1013904223u;
  if (next >> 31) atomic_fetch_add_explicit(hits, 1u, memory_order_relaxed);
}
