// The thread's number is the shift of a mask, in threadgroups of 64.
// missed by lint: the range of a shift's count is not computed
// grid: 64
// threadgroup: 64
// in 0: uint 1..64
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  u[t] &= (1u << t) - 1;  // check: shift_out_of_range
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) { u[t] &= (1u << (t & 31)) - 1; }
