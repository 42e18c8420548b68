// A list has room for fewer elements than are appended.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0
// in 2: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device atomic_uint* count, device float* list,
                   uint t [[thread_index_in_threadgroup]]) {
  const uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  list[slot] = x[t];  // check: out_of_bounds
}
kernel void fixed(device const float* x, device atomic_uint* count, device float* list,
                  uint t [[thread_index_in_threadgroup]]) {
  const uint slot = atomic_fetch_add_explicit(count, 1u, memory_order_relaxed);
  if (slot < 32) list[slot] = x[t];
}
