// Two concurrent launches add to the same elements.
// missed by lint: a source does not say which launches overlap
// grid: 64
// threadgroup: 64
// launches: 2 concurrent
// in 0: uint 64*1
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* x, uint i [[thread_position_in_grid]]) {
  x[i] += 1;  // check: race
}
kernel void fixed(device atomic_uint* x, uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&x[i], 1u, memory_order_relaxed);
}
