#include <metal_stdlib>
using namespace metal;

// Threads leave the loop one after the other, and must meet for the sum.
kernel void claim(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint total;
  if (t == 0) atomic_store_explicit(&total, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint old = atomic_load_explicit(&total, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&total, &old, old * 3 + in[i],
                                                memory_order_relaxed, memory_order_relaxed)) {}
  out[i] = simd_sum(in[i]);
}
