// A vector of four floats is read one float behind its place.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 16
// threadgroup: 16
// in 0: float 1..80
// in 1: float 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = (*(device const float4*)(x + 4 * t + 1)).x;  // check: misaligned
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = (*(device const float4*)(x + 4 * t + 4)).x;
}
