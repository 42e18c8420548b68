// The threads of a threadgroup count by load and store.
// missed by lint: atomic operations are not followed from one to the next
// grid: 64
// threadgroup: 64
// in 0: float -31..32
// out 1: uint 32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint count;
  if (t == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 0)
    atomic_store_explicit(&count, atomic_load_explicit(&count, memory_order_relaxed) + 1, memory_order_relaxed);  // check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) y[0] = atomic_load_explicit(&count, memory_order_relaxed);
}
kernel void fixed(device const float* x, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint count;
  if (t == 0) atomic_store_explicit(&count, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 0) atomic_fetch_add_explicit(&count, 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) y[0] = atomic_load_explicit(&count, memory_order_relaxed);
}
