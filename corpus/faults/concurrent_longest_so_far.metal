// The longest path so far is compared and stored without an atomic function.
// missed by lint: a source does not say which launches overlap
// grid: 1
// threadgroup: 1
// launches: 2 concurrent
// in 0: uint 0
// in 1: uint 3 9 4
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* longest, device const uint* paths) {
  uint most = longest[0];  // check: race
  for (uint k = 0; k < 3; ++k) most = max(most, paths[k]);
  longest[0] = most;
}
kernel void fixed(device atomic_uint* longest, device const uint* paths) {
  for (uint k = 0; k < 3; ++k) atomic_fetch_max_explicit(longest, paths[k], memory_order_relaxed);
}
