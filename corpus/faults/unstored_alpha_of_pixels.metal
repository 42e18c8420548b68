// Three channels of four are stored through a packed pointer.
// missed by lint: the values of the host and of buffers are not known
// grid: 16
// threadgroup: 16
// in 0: float 1..64
// out 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float4* x, device float* y, uint i [[thread_position_in_grid]]) {
  *(device packed_float3*)(y + 4 * i) = x[i].zyx;  // check: unstored
}
kernel void fixed(device const float4* x, device float4* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i].zyxw;
}
