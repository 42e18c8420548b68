// All threads of the grid add to one number of a buffer with a plain addition.
// grid: 128
// threadgroup: 64
// in 0: float 1..256
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device uint* total, uint i [[thread_position_in_grid]]) {
  total[0] += uint(x[i]);  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const float* x, device uint* total, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit((device atomic_uint*)total, uint(x[i]), memory_order_relaxed);
}
