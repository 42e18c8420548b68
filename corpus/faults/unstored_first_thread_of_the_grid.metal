// The thread that stores a threadgroup's sum is chosen by its place in the grid, so there is only one.
// missed by lint: the values of the host and of buffers are not known
// grid: 128
// threadgroup: 32
// in 0: float 1..128
// out 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                   uint group [[threadgroup_position_in_grid]]) {
  const float sum = simd_sum(x[i]);
  if (i == 0) sums[group] = sum;  // check: unstored
}
kernel void fixed(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                  uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  const float sum = simd_sum(x[i]);
  if (lane == 0) sums[group] = sum;
}
