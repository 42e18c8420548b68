// All scores of a row are masked: the largest one is minus infinity, and so is each of them.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: uint 32*0
// in 1: float 1..32
// in 2: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* is_seen, device const float* score, device float* y,
                   uint i [[thread_position_in_grid]]) {
  const float masked = is_seen[i] ? score[i] : -INFINITY;
  const float e = exp(masked - simd_max(masked));  // check: not_finite
  y[i] = e / simd_sum(e);
}
kernel void fixed(device const uint* is_seen, device const float* score, device float* y,
                  uint i [[thread_position_in_grid]]) {
  const float masked = is_seen[i] ? score[i] : -1e30f;
  const float e = exp(masked - simd_max(masked));
  y[i] = e / simd_sum(e);
}
