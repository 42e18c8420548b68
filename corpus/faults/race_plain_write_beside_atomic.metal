// A plain store to a counter that other threads change atomically.
// grid: 64
// threadgroup: 64
// in 0: uint 7
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* counter, uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) *(device uint*)counter = 3;  // lint: hazard.device_race; check: race
  if (t == 1) atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
}
kernel void fixed(device atomic_uint* counter, uint t [[thread_index_in_threadgroup]]) {
  if (t == 0) atomic_fetch_add_explicit(counter, 3u, memory_order_relaxed);
  if (t == 1) atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
}
