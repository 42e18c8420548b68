// Atomics in device memory: every operation, on int, uint and float; and compare-exchange loops.
#include <metal_stdlib>
using namespace metal;

// kernel: of_uint
// grid: 64
// threadgroup: 16
// in 0: uint 0 1000 0xffffffff 0 0x55 5 0 1000 0
// out 0: uint 2016 936 0x80000000 63 0x6a 0 63 36 64
// out 1: uint 64*1
kernel void of_uint(device atomic_uint* a [[buffer(0)]], device uint* seen [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&a[0], i, memory_order_relaxed);
  atomic_fetch_sub_explicit(&a[1], 1u, memory_order_relaxed);
  atomic_fetch_and_explicit(&a[2], ~(1u << (i % 31)), memory_order_relaxed);
  atomic_fetch_or_explicit(&a[3], i, memory_order_relaxed);
  atomic_fetch_xor_explicit(&a[4], i == 7 ? 0x3fu : 0u, memory_order_relaxed);
  atomic_fetch_min_explicit(&a[5], i, memory_order_relaxed);
  atomic_fetch_max_explicit(&a[6], i, memory_order_relaxed);
  atomic_fetch_min_explicit(&a[7], 99 - i, memory_order_relaxed);
  const uint place = atomic_fetch_add_explicit(&a[8], 1u, memory_order_relaxed);
  seen[place] = 1;
}

// kernel: of_int
// grid: 20
// threadgroup: 5
// in 0: int 0 0 100 0 7
// out 0: int -190 -19 -19 19 100
// out 1: int 7
kernel void of_int(device atomic_int* a [[buffer(0)]], device int* old [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  const int x = -int(i);
  atomic_fetch_add_explicit(&a[0], x, memory_order_relaxed);
  atomic_fetch_min_explicit(&a[1], x, memory_order_relaxed);
  atomic_fetch_min_explicit(&a[2], x, memory_order_relaxed);
  atomic_fetch_max_explicit(&a[3], -x, memory_order_relaxed);
  if (i == 3) old[0] = atomic_exchange_explicit(&a[4], 100, memory_order_relaxed);
}

// kernel: of_float
// grid: 32
// threadgroup: 8
// in 0: float 0.5 100
// out 0: float 496.5 68
kernel void of_float(device atomic_float* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&a[0], float(i), memory_order_relaxed);
  atomic_fetch_sub_explicit(&a[1], 1.0f, memory_order_relaxed);
}

// kernel: exchange_loop
// grid: 32
// threadgroup: 8
// in 0: uint 0
// in 1: uint 0
// out 0: uint 32
// out 1: uint 0x43f80000
kernel void exchange_loop(device atomic_uint* count [[buffer(0)]],
                          device atomic_uint* sum [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
  uint old = atomic_load_explicit(count, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(count, &old, old + 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
  uint bits = atomic_load_explicit(sum, memory_order_relaxed);
  uint next;
  do {
    next = as_type<uint>(as_type<float>(bits) + float(i));
  } while (!atomic_compare_exchange_weak_explicit(sum, &bits, next, memory_order_relaxed,
                                                  memory_order_relaxed));
}

// kernel: load_and_store
// grid: 4
// threadgroup: 4
// in 0: uint 1 2 3 4
// in 1: float 1.5
// out 0: uint 11 12 13 14
// out 1: float 2.5
kernel void load_and_store(device atomic_uint* a [[buffer(0)]], device atomic_float* f [[buffer(1)]],
                           uint i [[thread_position_in_grid]]) {
  const uint x = atomic_load_explicit(&a[i], memory_order_relaxed);
  atomic_store_explicit(&a[i], x + 10, memory_order_relaxed);
  if (i == 2) atomic_store_explicit(f, atomic_load_explicit(f, memory_order_relaxed) + 1, memory_order_relaxed);
}

// kernel: of_long
// grid: 10
// threadgroup: 5
// in 0: ulong 5000000000 5000000000
// out 0: ulong 1000000000 9000000001
kernel void of_long(device atomic_ulong* a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  atomic_min_explicit(&a[0], 1000000000ul * (i + 1), memory_order_relaxed);
  atomic_max_explicit(&a[1], 1000000000ul * i + 1, memory_order_relaxed);
}
