// Matches are counted with a plain increment.
// grid: 128
// threadgroup: 64
// in 0: float 1..256
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device uint& matches, uint i [[thread_position_in_grid]]) {
  if (x[i] > 10.0f) ++matches;  // lint: hazard.device_race; check: race
}
kernel void fixed(device const float* x, device uint& matches, uint i [[thread_position_in_grid]]) {
  if (x[i] > 10.0f) atomic_fetch_add_explicit((device atomic_uint*)&matches, 1u, memory_order_relaxed);
}
