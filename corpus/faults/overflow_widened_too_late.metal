// The product is widened after it has wrapped around.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 67108864
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& stride, uint t [[thread_index_in_threadgroup]]) {
  const ulong at = ulong(t * 64 * stride);  // lint: hazard.index_overflow
  x[at] = 0;  // check: index_overflow
}
kernel void fixed(device float* x, constant uint& stride, uint t [[thread_index_in_threadgroup]]) {
  const ulong at = ulong(t) * 64 * stride;
  if (at < 64) x[at] = 0;
}
