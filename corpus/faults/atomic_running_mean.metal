// A mean is loaded, moved towards the thread's value and stored.
// missed by lint: atomic operations are not followed from one to the next
// grid: 64
// threadgroup: 32
// in 0: float 0
// in 1: float 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_float* mean, device const float* x, uint i [[thread_position_in_grid]]) {
  const float before = atomic_load_explicit(mean, memory_order_relaxed);
  atomic_store_explicit(mean, before + (x[i] - before) / 64, memory_order_relaxed);  // check: race
}
kernel void fixed(device atomic_float* mean, device const float* x, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(mean, x[i] / 64, memory_order_relaxed);
}
