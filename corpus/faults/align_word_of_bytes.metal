// A word is read at an odd byte of a buffer.
// missed by lint: no rule follows the alignment of computed addresses
// grid: 32
// threadgroup: 32
// in 0: uchar 0..143
// in 1: uint 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uchar* bytes, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const uint*)(bytes + 3 + 4 * t);  // check: misaligned
}
kernel void fixed(device const uchar* bytes, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = *(device const uint*)(bytes + 4 + 4 * t);
}
