// Both launches take the slots of a list from a count that they keep by plain accesses.
// missed by lint: a source does not say which launches overlap
// grid: 1
// threadgroup: 1
// launches: 2 concurrent
// in 0: uint 0
// in 1: uint 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* count, device uint* list) {
  list[count[0]] = 7;  // check: race
  count[0] = count[0] + 1;  // check: race
}
kernel void fixed(device atomic_uint* count, device uint* list) {
  list[atomic_fetch_add_explicit(count, 1u, memory_order_relaxed)] = 7;
}
