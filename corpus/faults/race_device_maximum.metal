// The largest value of a buffer is raised by test and store.
// grid: 128
// threadgroup: 64
// in 0: uint 1..256
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* most, uint i [[thread_position_in_grid]]) {
  if (u[i] > most[0]) most[0] = u[i];  // lint: hazard.device_race; check: race
}
kernel void fixed(device const uint* u, device uint* most, uint i [[thread_position_in_grid]]) {
  atomic_fetch_max_explicit((device atomic_uint*)most, u[i], memory_order_relaxed);
}
