// Exponentials of large scores, without their maximum taken off.
// missed by lint: the values of the host and of buffers are not known
// says: thread (9, 0, 0) of threadgroup (0, 0, 0) computes infinity: exp(89)
// says: score (at byte 36 of 128) is where an operand comes from
// grid: 32
// threadgroup: 32
// in 0: float 80..111
// in 1: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* score, device float* y, uint i [[thread_position_in_grid]]) {
  const float e = exp(score[i]);  // check: not_finite
  y[i] = e / simd_sum(e);
}
kernel void fixed(device const float* score, device float* y, uint i [[thread_position_in_grid]]) {
  const float e = exp(score[i] - simd_max(score[i]));
  y[i] = e / simd_sum(e);
}
