// A threadgroup counter is read plainly in front of the barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint positive;
  if (t == 0) atomic_store_explicit(&positive, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 9.0f) atomic_fetch_add_explicit(&positive, 1u, memory_order_relaxed);  // check: race
  x[t] = float(*(threadgroup uint*)&positive);  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint positive;
  if (t == 0) atomic_store_explicit(&positive, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (x[t] > 9.0f) atomic_fetch_add_explicit(&positive, 1u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = float(*(threadgroup uint*)&positive);
}
