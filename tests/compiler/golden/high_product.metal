#include <metal_stdlib>
using namespace metal;

// LLVM makes a multiplication of 128-bit integers of it.
kernel void high_product(device const ulong* a [[buffer(0)]], device const ulong* b [[buffer(1)]],
                         device ulong* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  ulong a0 = a[i] & 0xfffffffful, a1 = a[i] >> 32, b0 = b[i] & 0xfffffffful, b1 = b[i] >> 32;
  ulong t = a1 * b0 + (a0 * b0 >> 32);
  ulong u = a0 * b1 + (t & 0xfffffffful);
  out[i] = a1 * b1 + (t >> 32) + (u >> 32);
}
