// The first thread of the grid clears a sum to which all threadgroups add.
// missed by lint: atomic and plain accesses to a buffer are not compared
// grid: 128
// threadgroup: 64
// in 0: uint 9
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* sum, uint i [[thread_position_in_grid]]) {
  if (i == 0) sum[0] = 0;
  threadgroup_barrier(mem_flags::mem_device);
  atomic_fetch_add_explicit((device atomic_uint*)sum, 1u, memory_order_relaxed);  // check: race
}
kernel void fixed(device uint* sum, uint i [[thread_position_in_grid]]) {
  if (i == 0) atomic_fetch_add_explicit((device atomic_uint*)sum, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_device);
  atomic_fetch_add_explicit((device atomic_uint*)sum, 1u, memory_order_relaxed);
}
