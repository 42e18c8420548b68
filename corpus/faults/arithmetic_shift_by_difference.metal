// A shift by 32 minus a count that may be zero, to rotate a word.
// missed by lint: the range of a shift's count is not computed
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  u[t] = (u[t] << (t & 31)) | (u[t] >> (32 - (t & 31)));  // check: shift_out_of_range
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  u[t] = (u[t] << (t & 31)) | (u[t] >> ((32 - (t & 31)) & 31));
}
