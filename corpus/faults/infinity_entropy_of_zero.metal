// The logarithm of a probability of zero, times that probability.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 0.5 0 0.25 0.25
// in 1: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* p, device float* entropy, uint i [[thread_position_in_grid]]) {
  entropy[i] = -p[i] * log2(p[i]);  // check: not_finite
}
kernel void fixed(device const float* p, device float* entropy, uint i [[thread_position_in_grid]]) {
  entropy[i] = p[i] > 0 ? -p[i] * log2(max(p[i], 1e-30f)) : 0;
}
