// The loop expects the number where the word has its bits, so that no exchange ever succeeds.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: float 2.5
// in 1: float 1..32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  uint expected = atomic_load_explicit(sum, memory_order_relaxed);
  float value = as_type<float>(expected);
  expected = uint(value);
  while (!atomic_compare_exchange_weak_explicit(sum, &expected, as_type<uint>(value + x[i]), memory_order_relaxed,  // check: endless_loop
                                                memory_order_relaxed)) {
    value = as_type<float>(expected);
    expected = uint(value);
  }
}
kernel void fixed(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  uint expected = atomic_load_explicit(sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(sum, &expected, as_type<uint>(as_type<float>(expected) + x[i]),
                                                memory_order_relaxed, memory_order_relaxed)) {
  }
}
