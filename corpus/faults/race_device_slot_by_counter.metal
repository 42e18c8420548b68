// A slot is taken by reading a counter and storing it back.
// grid: 64
// threadgroup: 64
// in 0: uint 64*5
// in 1: uint 0 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* list, uint t [[thread_index_in_threadgroup]]) {
  const uint slot = list[0]++;  // lint: hazard.lost_update; check: race
  list[1 + slot] = u[t];
}
kernel void fixed(device const uint* u, device uint* list, uint t [[thread_index_in_threadgroup]]) {
  const uint slot = atomic_fetch_add_explicit((device atomic_uint*)list, 1u, memory_order_relaxed);
  list[1 + slot] = u[t];
}
