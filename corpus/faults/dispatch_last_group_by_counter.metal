// The last threadgroup to arrive adds up what the others stored, by a counter that orders nothing.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 8*0
// in 2: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, device atomic_uint* arrived,
                   uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
                   uint groups [[threadgroups_per_grid]]) {
  threadgroup uint rank;
  if (t == 0) {
    y[1 + g] = x[g * 64];  // check: race
    rank = atomic_fetch_add_explicit(arrived, 1u, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (rank == groups - 1 && t == 0) y[0] = y[1] + y[2];  // lint: hazard.device_race; check: race
}
kernel void fixed(device const float* x, device float* y, device atomic_uint* arrived,
                  uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
                  uint groups [[threadgroups_per_grid]]) {
  threadgroup uint rank;
  if (t == 0) {
    y[1 + g] = x[g * 64];
    rank = atomic_fetch_add_explicit(arrived, 1u, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (rank == groups - 1 && t == 0) y[0] = 1;
}
