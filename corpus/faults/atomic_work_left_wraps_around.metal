// The number of rows left wraps around below zero, and the second thread never sees zero.
// missed by lint: atomic operations are not followed from one to the next
// grid: 2
// threadgroup: 1
// in 0: uint 3
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* left, device atomic_uint* done) {
  while (atomic_fetch_sub_explicit(left, 1u, memory_order_relaxed) != 0)  // check: endless_loop
    atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
}
kernel void fixed(device atomic_int* left, device atomic_uint* done) {
  while (atomic_fetch_sub_explicit(left, 1, memory_order_relaxed) > 0)
    atomic_fetch_add_explicit(done, 1u, memory_order_relaxed);
}
