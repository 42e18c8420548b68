// Each threadgroup adds its sum to its place in a list, and so does the other launch.
// missed by lint: a source does not say which launches overlap
// grid: 64
// threadgroup: 32
// launches: 2 concurrent
// in 0: float 1..64
// in 1: float 2*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* sums, uint i [[thread_position_in_grid]],
                   uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  const float sum = simd_sum(x[i]);
  if (lane == 0) sums[group] += sum;  // check: race
}
kernel void fixed(device const float* x, device atomic_float* sums, uint i [[thread_position_in_grid]],
                  uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {
  const float sum = simd_sum(x[i]);
  if (lane == 0) atomic_fetch_add_explicit(&sums[group], sum, memory_order_relaxed);
}
