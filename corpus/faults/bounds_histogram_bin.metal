// The largest value falls into a bin behind the last one.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device atomic_uint* bins, uint t [[thread_index_in_threadgroup]]) {
  const uint bin = uint(x[t] / 64.0f * 8.0f);
  atomic_fetch_add_explicit(&bins[bin], 1u, memory_order_relaxed);  // check: out_of_bounds
}
kernel void fixed(device const float* x, device atomic_uint* bins, uint t [[thread_index_in_threadgroup]]) {
  const uint bin = uint(x[t] / 64.0f * 8.0f);
  atomic_fetch_add_explicit(&bins[min(bin, 7u)], 1u, memory_order_relaxed);
}
