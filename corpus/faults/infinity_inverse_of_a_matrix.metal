// The determinant of a matrix is zero, and each element is divided by it.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: float 1 2 3 4 1 2 2 4
// in 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float4* m, device float4* inverse, uint i [[thread_position_in_grid]]) {
  const float determinant = m[i].x * m[i].w - m[i].y * m[i].z;
  inverse[i] = float4(m[i].w, -m[i].y, -m[i].z, m[i].x) * (1 / determinant);  // check: not_finite
}
kernel void fixed(device const float4* m, device float4* inverse, uint i [[thread_position_in_grid]]) {
  const float determinant = m[i].x * m[i].w - m[i].y * m[i].z;
  const float factor = determinant == 0 ? 0 : 1 / determinant;
  inverse[i] = float4(m[i].w, -m[i].y, -m[i].z, m[i].x) * factor;
}
