// Threadgroups wait for each other by a counter; those that have not begun never come.
// missed by lint: atomic operations are not followed from one to the next
// grid: 4
// threadgroup: 1
// in 0: uint 0
// in 1: float 1..4
// in 2: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* arrived, device const float* x, device float* sum,
                   uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(arrived, 1u, memory_order_relaxed);
  while (atomic_load_explicit(arrived, memory_order_relaxed) < 4) {  // check: endless_loop
  }
  if (i == 0) sum[0] = x[0] + x[1] + x[2] + x[3];
}
kernel void fixed(device atomic_uint* arrived, device const float* x, device float* sum,
                  uint i [[thread_position_in_grid]]) {
  if (atomic_fetch_add_explicit(arrived, 1u, memory_order_relaxed) == 3) sum[0] = x[0] + x[1] + x[2] + x[3];
}
