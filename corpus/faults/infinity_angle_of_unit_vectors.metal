// The product of two unit vectors is a little more than one.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: float 0.6 0.8 0 0 0.6000001 0.8000001 0 0
// in 1: float 0.6 -0.8 0 0 0.6000001 0.8000001 0 0
// in 2: float 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float4* a, device const float4* b, device float* angle,
                   uint i [[thread_position_in_grid]]) {
  angle[i] = acos(dot(a[i], b[i]));  // check: not_finite
}
kernel void fixed(device const float4* a, device const float4* b, device float* angle,
                  uint i [[thread_position_in_grid]]) {
  angle[i] = acos(clamp(dot(a[i], b[i]), -1.0f, 1.0f));
}
