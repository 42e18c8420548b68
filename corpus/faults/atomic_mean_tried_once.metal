// A mean in the bits of an integer: the exchange stands in a helper, which drops its result.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: uint 0
// in 1: float 1..32
#include <metal_stdlib>
using namespace metal;
inline void add(device atomic_uint* sum, float x) {
  uint bits = atomic_load_explicit(sum, memory_order_relaxed);
  atomic_compare_exchange_weak_explicit(sum, &bits, as_type<uint>(as_type<float>(bits) + x), memory_order_relaxed, memory_order_relaxed);  // check: lost_update
}
inline void add_until_done(device atomic_uint* sum, float x) {
  uint bits = atomic_load_explicit(sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(sum, &bits, as_type<uint>(as_type<float>(bits) + x),
                                                memory_order_relaxed, memory_order_relaxed)) {
  }
}
kernel void faulty(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  add(sum, x[i] / 32);
}
kernel void fixed(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  add_until_done(sum, x[i] / 32);
}
