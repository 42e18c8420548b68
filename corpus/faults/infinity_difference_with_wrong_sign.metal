// The maximum minus the score, where the score minus the maximum was meant.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: float -200..-169
// in 1: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* score, device float* weight, uint i [[thread_position_in_grid]]) {
  const float most = max(simd_max(score[i]), 0.0f);
  weight[i] = exp(most - score[i]);  // check: not_finite
}
kernel void fixed(device const float* score, device float* weight, uint i [[thread_position_in_grid]]) {
  const float most = max(simd_max(score[i]), 0.0f);
  weight[i] = exp(score[i] - most);
}
