// Each launch clears the counter that the other one counts in.
// missed by lint: a source does not say which launches overlap
// grid: 1
// threadgroup: 1
// launches: 2 concurrent
// in 0: uint 0
// in 1: uint 1..8
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device atomic_uint* count, device const uint* x) {
  *(device uint*)count = 0;  // check: race
  for (uint k = 0; k < 8; ++k) atomic_fetch_add_explicit(count, x[k], memory_order_relaxed);
}
kernel void fixed(device atomic_uint* count, device const uint* x) {
  for (uint k = 0; k < 8; ++k) atomic_fetch_add_explicit(count, x[k], memory_order_relaxed);
}
