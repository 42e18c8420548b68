// The mask of the first n lanes shifts by 32 where all take part. public bug: CUDA and HIP ballots
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: uint 1..32
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* count, uint t [[thread_index_in_threadgroup]]) {
  count[t] = (1u << count[t]) - 1;  // check: shift_out_of_range
}
kernel void fixed(device uint* count, uint t [[thread_index_in_threadgroup]]) {
  count[t] = count[t] < 32 ? (1u << count[t]) - 1 : 0xffffffffu;
}
