// Atomic objects in device and threadgroup memory.
#include <metal_stdlib>
#include <metal_atomic>
using namespace metal;

struct Counters {
  atomic_uint hits;
  atomic_int balance;
  atomic<float> total;
  atomic_bool done;
};

kernel void atomics(device Counters& counters [[buffer(0)]], device atomic_uint* bins [[buffer(1)]],
                    volatile device atomic_int* signs [[buffer(2)]], device uint* out [[buffer(3)]],
                    device atomic_ulong* wide [[buffer(4)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup atomic_uint shared[8];
  if (i < 8) atomic_store_explicit(&shared[i], 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint old = atomic_fetch_add_explicit(&shared[i & 7], 1, memory_order_relaxed);
  old += atomic_fetch_or_explicit(bins + i, 1u << i, memory_order_relaxed);
  atomic_fetch_and_explicit(&bins[1], ~1u, memory_order_relaxed);
  atomic_fetch_xor_explicit(&bins[1], 3, memory_order_relaxed);
  atomic_fetch_min_explicit(signs, -1, memory_order_relaxed);
  atomic_fetch_max_explicit(&counters.balance, int(i), memory_order_relaxed);
  atomic_fetch_sub_explicit(&counters.balance, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counters.total, 0.5f, memory_order_relaxed);
  atomic_max_explicit(wide, ulong(i), memory_order_relaxed);
  uint expected = 3;
  while (!atomic_compare_exchange_weak_explicit(&bins[2], &expected, expected + 1,
                                                memory_order_relaxed, memory_order_relaxed))
    ;
  float seen = atomic_load_explicit(&counters.total, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(&counters.total, &seen, seen * 2, memory_order_relaxed,
                                        memory_order_relaxed);
  atomic_store_explicit(&counters.done, true, memory_order_relaxed);
  out[i] = old + atomic_exchange_explicit((device atomic_uint*)out, 5u, memory_order_relaxed) +
           atomic_load_explicit(&counters.hits, memory_order_relaxed);
}
