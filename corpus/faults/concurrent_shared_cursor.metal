// Two launches write a log behind one cursor, which they read and move plainly.
// grid: 4
// threadgroup: 4
// launches: 2 concurrent
// in 0: uint 0
// in 1: uint 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* cursor, device uint* log, uint i [[thread_position_in_grid]]) {
  const uint begin = cursor[0];  // check: race
  log[begin + i] = i + 1;
  if (simd_is_first()) cursor[0] = begin + 4;  // lint: hazard.device_race; check: race
}
kernel void fixed(device atomic_uint* cursor, device uint* log, uint i [[thread_position_in_grid]]) {
  uint begin = 0;
  if (simd_is_first()) begin = atomic_fetch_add_explicit(cursor, 4u, memory_order_relaxed);
  log[simd_broadcast_first(begin) + i] = i + 1;
}
