// The count is read plainly while other threads still count.
// grid: 64
// threadgroup: 64
// in 0: uint 0
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* counter, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);  // check: race
  y[t] = *(device uint*)counter;  // lint: hazard.device_race; check: race
}
kernel void fixed(device atomic_uint* counter, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_device);
  y[t] = *(device uint*)counter;
}
