// The loop ends when two floats are equal, which a NaN never is.
// missed by lint: atomic operations are not followed from one to the next
// says: thread (0, 0, 0) of threadgroup (0, 0, 0) never leaves this loop: the atomic operation here does not give what the loop waits for
// grid: 32
// threadgroup: 32
// in 0: uint 0x7fc00000
// in 1: float 1..32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  uint seen = atomic_load_explicit(sum, memory_order_relaxed);
  uint old = seen;
  do {
    old = seen;
    atomic_compare_exchange_weak_explicit(sum, &seen, as_type<uint>(as_type<float>(old) + x[i]), memory_order_relaxed,  // check: endless_loop
                                          memory_order_relaxed);
  } while (as_type<float>(seen) != as_type<float>(old));
}
kernel void fixed(device atomic_uint* sum, device const float* x, uint i [[thread_position_in_grid]]) {
  uint seen = atomic_load_explicit(sum, memory_order_relaxed);
  uint old = seen;
  do {
    old = seen;
    atomic_compare_exchange_weak_explicit(sum, &seen, as_type<uint>(as_type<float>(old) + x[i]), memory_order_relaxed,
                                          memory_order_relaxed);
  } while (seen != old);
}
