// A vector of length zero has no direction.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: float 1 2 2 0 0 0 0 0
// in 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float4* x, device float4* y, uint i [[thread_position_in_grid]]) {
  y[i] = normalize(x[i]);  // check: not_finite
}
kernel void fixed(device const float4* x, device float4* y, uint i [[thread_position_in_grid]]) {
  const float squares = dot(x[i], x[i]);
  y[i] = squares > 0 ? x[i] * rsqrt(max(squares, 1e-30f)) : float4(0);
}
