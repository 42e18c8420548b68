// Only full blocks get their sum; the last block is shorter.
// missed by lint: the values of the host and of buffers are not known
// grid: 128
// threadgroup: 32
// in 0: float 1..110
// out 1: float 4*0
// in 2: uint 110
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* sums, constant uint& n, uint i [[thread_position_in_grid]],
                   uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  const float sum = simd_sum(i < n ? x[i] : 0.0f);
  if (lane == 0 && group < n / 32) sums[group] = sum;  // check: unstored
}
kernel void fixed(device const float* x, device float* sums, constant uint& n, uint i [[thread_position_in_grid]],
                  uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  const float sum = simd_sum(i < n ? x[i] : 0.0f);
  if (lane == 0) sums[group] = sum;
}
