// The sum of a simdgroup has the type of its summands.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: ushort 32*4000
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const ushort* x, device uint* sum, uint i [[thread_position_in_grid]]) {
  const uint total = simd_sum(x[i]);  // check: narrowed
  if (i == 0) sum[0] = total;
}
kernel void fixed(device const ushort* x, device uint* sum, uint i [[thread_position_in_grid]]) {
  const uint total = simd_sum(uint(x[i]));
  if (i == 0) sum[0] = total;
}
