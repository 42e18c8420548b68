// A threadgroup reads the length of a list that others extend.
// missed by lint: atomic and plain accesses to a buffer are not compared
// grid: 128
// threadgroup: 64
// in 0: uint 0 128*0
// in 1: uint 128*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* list, device uint* lengths, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_fetch_add_explicit((device atomic_uint*)list, 1u, memory_order_relaxed);  // check: race
  list[1 + slot] = i;
  threadgroup_barrier(mem_flags::mem_device);
  lengths[i] = list[0];  // check: race
}
kernel void fixed(device uint* list, device uint* lengths, uint i [[thread_position_in_grid]]) {
  const uint slot = atomic_fetch_add_explicit((device atomic_uint*)list, 1u, memory_order_relaxed);
  list[1 + slot] = i;
  threadgroup_barrier(mem_flags::mem_device);
  lengths[i] = slot;
}
