// Matrices: columns, elements, products with vectors, matrices and numbers, transpose, determinant.
#include <metal_stdlib>
using namespace metal;

// kernel: products
// grid: 1
// threadgroup: 1
// in 0: float 1 2 3 4
// in 1: float 5 6 7 8
// out 2: float 23 34
// out 2: float 31 46
// out 2: float 17 39
// out 2: float 1 3 2 4
// out 2: float 6 8 10 12
// out 2: float 2 4 6 8
// out 2: float -2 3
kernel void products(constant float2x2& a [[buffer(0)]], device const float2x2& b [[buffer(1)]],
                     device float2* out [[buffer(2)]]) {
  const float2x2 ab = a * b;
  out[0] = ab[0];
  out[1] = ab[1];
  out[2] = b[0] * a;
  const float2x2 t = transpose(a);
  out[3] = t[0];
  out[4] = t[1];
  const float2x2 sum = a + b;
  out[5] = sum[0];
  out[6] = sum[1];
  const float2x2 twice = a * 2.0f;
  out[7] = twice[0];
  out[8] = twice[1];
  out[9] = float2(determinant(a), a[1][0]);
}

// kernel: rectangles
// grid: 2
// threadgroup: 2
// in 0: float 1 0 0 99 0 2 0 99 0 0 3 99 4 5 6 99
// out 1: float 5 7 9 24
// out 1: float 4 5 6 24
kernel void rectangles(device const float4x3& m [[buffer(0)]], device float4* out [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
  const float3 v = i == 0 ? m * float4(1, 1, 1, 1) : m[3];
  const float3x3 part(m[0], m[1], m[2]);
  float3x3 changed = part;
  changed[0][0] *= 4;
  out[i] = float4(v, determinant(changed));
}

// kernel: halves
// grid: 1
// threadgroup: 1
// in 0: half 1 2 3 4
// out 1: half 7 10
// out 2: float 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
kernel void halves(device const half2x2& m [[buffer(0)]], device half2* out [[buffer(1)]],
                   device float4x4& identity [[buffer(2)]]) {
  out[0] = m * half2(1, 2);
  identity = float4x4(1.0f);
}
