// A product of floats in the bits of an integer: the exchange stands behind an if, and is not tried again.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: uint 0x3f800000
// in 1: float 1..32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* product, device const float* x, uint i [[thread_position_in_grid]]) {
  if (x[i] == 1) return;
  uint bits = atomic_load_explicit(product, memory_order_relaxed);
  const float value = as_type<float>(bits) * x[i];
  atomic_compare_exchange_weak_explicit(product, &bits, as_type<uint>(value), memory_order_relaxed, memory_order_relaxed);  // check: lost_update
}
kernel void fixed(device atomic_uint* product, device const float* x, uint i [[thread_position_in_grid]]) {
  if (x[i] == 1) return;
  uint bits = atomic_load_explicit(product, memory_order_relaxed);
  bool done = false;
  while (!done) {
    const float value = as_type<float>(bits) * x[i];
    done = atomic_compare_exchange_weak_explicit(product, &bits, as_type<uint>(value), memory_order_relaxed,
                                                 memory_order_relaxed);
  }
}
