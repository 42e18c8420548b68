// Atomics beyond 32-bit integers.
#include <metal_stdlib>
using namespace metal;

// kernel: floats
// grid: 8
// threadgroup: 8
// in 0: float 1 100 7 0
// out 0: float 9 92 5 8
kernel void floats(device atomic_float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&x[0], 1.0f, memory_order_relaxed);
  atomic_fetch_sub_explicit(&x[1], 1.0f, memory_order_relaxed);
  if (i == 3) atomic_exchange_explicit(&x[2], 5.0f, memory_order_relaxed);
  float seen = atomic_load_explicit(&x[3], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&x[3], &seen, seen + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

// kernel: words_of_64_bits
// grid: 8
// threadgroup: 8
// in 0: ulong 5 5000000000
// out 0: ulong 4294967303 3
kernel void words_of_64_bits(device atomic_ulong* x [[buffer(0)]],
                             uint i [[thread_position_in_grid]]) {
  atomic_max_explicit(&x[0], (1ul << 32) + i, memory_order_relaxed);
  atomic_min_explicit(&x[1], ulong(i + 3), memory_order_relaxed);
}
