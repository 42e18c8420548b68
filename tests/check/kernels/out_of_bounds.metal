// Accesses beside buffers and arrays.
#include <metal_stdlib>
using namespace metal;

// kernel: guard_one_too_far
// grid: 32
// threadgroup: 16
// in 0: float 0..30
// in 1: float 31*5
kernel void guard_one_too_far(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  if (i > 31) return;
  y[i] = 2 * x[i];  // expect: out_of_bounds
}

// kernel: tile_without_halo
// grid: 16
// threadgroup: 16
// in 0: float 0..15
// in 1: float 16*7
kernel void tile_without_halo(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              uint i [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16];
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[i] = tile[i] + tile[i + 1];  // expect: out_of_bounds
}
