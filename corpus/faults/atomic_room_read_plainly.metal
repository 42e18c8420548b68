// A plain read asks whether a list has room, before an atomic sum takes the slot.
// grid: 64
// threadgroup: 64
// in 0: uint 0
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  if (*(device const uint*)count >= 64) return;  // check: race
  list[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] = i;  // lint: hazard.device_race; check: race
}
kernel void fixed(device atomic_uint* count, device uint* list, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  if (slot < 64) list[slot] = i;
}
