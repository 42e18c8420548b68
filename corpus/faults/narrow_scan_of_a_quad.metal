// Offsets by a scan over the four lanes of a quad, in eight bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uchar 100 90 80 70
// in 1: uint 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uchar* lengths, device uint* begins, uint i [[thread_position_in_grid]]) {
  begins[i] = quad_prefix_exclusive_sum(lengths[i]);  // check: narrowed
}
kernel void fixed(device const uchar* lengths, device uint* begins, uint i [[thread_position_in_grid]]) {
  begins[i] = quad_prefix_exclusive_sum(uint(lengths[i]));
}
