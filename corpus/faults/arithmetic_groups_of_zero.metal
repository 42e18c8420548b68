// The number of heads for a group is zero for a small model. public bug: attention with grouped queries
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: uint 0..31
// in 1: uint 4
// in 2: uint 8
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* head, constant uint& heads, constant uint& groups,
                   uint t [[thread_index_in_threadgroup]]) {
  head[t] = head[t] / (heads / groups);  // check: division_by_zero
}
kernel void fixed(device uint* head, constant uint& heads, constant uint& groups,
                  uint t [[thread_index_in_threadgroup]]) {
  head[t] = head[t] / max(1u, heads / groups);
}
