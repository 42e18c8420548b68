// Matrices by columns, in every address space.
#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;

struct Uniforms {
  float4x4 model;
  float3x3 normal;
  matrix<half, 2, 3> small;
  simd_float4x4 host;
};
constant float2x2 rotation = float2x2(float2(0, 1), float2(-1, 0));
constant float3x3 all_elements = float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9);

template <typename T, int N>
T trace(matrix<T, N, N> m) {
  T sum = 0;
  for (int i = 0; i < N; ++i) sum += m[i][i];
  return sum;
}

kernel void matrices(constant Uniforms& u [[buffer(0)]], device float4x4* out [[buffer(1)]],
                     device float3* vectors [[buffer(2)]], threadgroup float4x4* shared [[threadgroup(0)]],
                     uint i [[thread_position_in_grid]]) {
  float4x4 m = u.model * out[i];
  shared[i & 1] = transpose(m);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  m = m * 2.0f + 0.5f * shared[0] - -m;
  m *= 2.0f;
  m += u.host;
  m[1] = float4(1);
  m.columns[2].xy = m[3].zw;
  m[0][3] = determinant(m) + trace(m) + determinant(u.normal);
  out[i] = m;
  device float4& column = out[i][2];
  column = m * float4(1, 0, 0, 0) + float4(0, 0, 0, 1) * m;
  device float4* columns = &out[i][0];
  columns[1].x = 1;
  constant float3& first = u.normal[0];
  vectors[i] = u.normal * first + all_elements[1];
  const float2x3 tall = float2x3(u.small);
  const float3x2 wide = transpose(tall);
  vectors[i].xy = rotation * (wide * vectors[i]);
  const float2x2 square = wide * tall;
  if (square == float2x2(1.0f) || square != rotation) vectors[i] = tall * square[0];
}
kernel void compound(device float4* v [[buffer(0)]], device float4x4* m [[buffer(1)]],
                     device packed_float3* p [[buffer(2)]], constant float3x3& n [[buffer(3)]]) {
  m[2] = float4x4({1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, float4(v[0].xyz, 1));
  v[0] *= m[0];
  float3 w = v[1].xyz;
  w *= n;
  p[0] = float3(p[0]) * n;
  v[1].xyz = n * float3(p[0]) + float3(p[1]) * n + w;
  m[0] += m[1];
  m[0] -= +m[1];
  m[1] *= m[0];
  m[1] *= 2;
  m[1] /= 2.0f;
  half3 h = 1;
  h *= half3x3(1.0h);
}
