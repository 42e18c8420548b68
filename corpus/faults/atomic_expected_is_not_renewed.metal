// Each round expects what the place held before the loop.
// missed by lint: atomic operations are not followed from one to the next
// grid: 32
// threadgroup: 32
// in 0: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* count) {
  const uint before = atomic_load_explicit(count, memory_order_relaxed);
  bool done = false;
  while (!done) {
    uint expected = before;
    done = atomic_compare_exchange_weak_explicit(count, &expected, before + 1, memory_order_relaxed, memory_order_relaxed);  // check: endless_loop
  }
}
kernel void fixed(device atomic_uint* count) {
  uint expected = atomic_load_explicit(count, memory_order_relaxed);
  bool done = false;
  while (!done)
    done = atomic_compare_exchange_weak_explicit(count, &expected, expected + 1, memory_order_relaxed,
                                                 memory_order_relaxed);
}
