// A counter in threadgroup memory is never set to zero.
// missed by lint: atomic changes of threadgroup memory are not followed
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint positive;
  if (x[t] > 3.0f) atomic_fetch_add_explicit(&positive, 1u, memory_order_relaxed);  // check: uninitialised
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = float(atomic_load_explicit(&positive, memory_order_relaxed));
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint positive;
  if (t == 0) atomic_store_explicit(&positive, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 3.0f) atomic_fetch_add_explicit(&positive, 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = float(atomic_load_explicit(&positive, memory_order_relaxed));
}
