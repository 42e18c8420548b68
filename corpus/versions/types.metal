// Types, and what is known without an include. README.md explains the lines that begin a source.
// --- bfloat_argument: metal3.1.. | Apple6 | unknown type name 'bfloat'
#include <metal_stdlib>
using namespace metal;
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1];
}

// --- bfloat_variable: metal3.1.. | Apple6 | 'bfloat'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = bfloat(out[i]);
  out[i] = float(b);
}

// --- bfloat_literal: metal3.1.. | Apple6 | bf
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat b = 1.5bf;
  out[i] = float(b);
}

// --- bfloat2: metal3.1.. | Apple6 | bfloat2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat2 b = bfloat2(out[i]);
  out[i] = float(b.x);
}

// --- bfloat3: metal3.1.. | Apple6 | bfloat3
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat3 b = bfloat3(out[i]);
  out[i] = float(b.x);
}

// --- bfloat4: metal3.1.. | Apple6 | bfloat4
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat4 b = bfloat4(out[i]);
  out[i] = float(b.x);
}

// --- packed_bfloat4: metal3.1.. | Apple6 | packed_bfloat4
#include <metal_stdlib>
using namespace metal;
kernel void k(device packed_bfloat4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1];
}

// --- bfloat_in_namespace: metal3.1.. | Apple6 | bfloat2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  metal::bfloat2 b = metal::bfloat2(out[i]);
  out[i] = float(b.x);
}

// --- bfloat_of_the_source: ..metal3.0
#include <metal_stdlib>
using namespace metal;
typedef float bfloat;
kernel void k(device bfloat* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = 1;
}

// --- bfloat16_t_of_the_source: ..
#include <metal_stdlib>
using namespace metal;
struct bfloat16_t {
  ushort bits;
};
kernel void k(device bfloat16_t* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i].bits = 1;
}

// --- bfloat_behind_a_version: ..
#include <metal_stdlib>
using namespace metal;
#if __METAL_VERSION__ >= 310
typedef bfloat number;
#else
typedef half number;
#endif
kernel void k(device number* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1];
}

// --- bfloat_behind_have_bfloat: ..
#include <metal_stdlib>
using namespace metal;
#ifdef __HAVE_BFLOAT__
typedef bfloat number;
#else
typedef half number;
#endif
kernel void k(device number* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1];
}

// --- bfloat_matrix: metal3.1.. | Apple6 | bfloat
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bfloat2x2 m = bfloat2x2(bfloat(1.0f));
  out[i] = float(m[0][0]);
}

// --- simdgroup_bfloat: metal3.1.. | Apple7 | simdgroup_bfloat8x8
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  simdgroup_bfloat8x8 m;
  out[i] = 0;
}

// --- half: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1] * 2.0h;
}

// --- double: none | double
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  double d = 1.0;
  out[i] = d;
}

// --- long: .. | Apple3
#include <metal_stdlib>
using namespace metal;
kernel void k(device long* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i + 1] * 3;
}

// --- vectors_without_include: ..
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  uint2 u = uint2(i, 1);
  x[i] = float4(float2(1), float(u.x), 0);
}

// --- packed_without_include: ..
kernel void k(device packed_float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = packed_float3(float3(1));
}

// --- bool_vector_without_include: ..
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  bool4 b = x[i] < 1.0f;
  x[i] = float4(b);
}

// --- functions_without_include: ..
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = metal::sin(out[i]) + metal::dot(float2(1), float2(out[i]));
}

// --- functions_without_using: ..
#include <metal_stdlib>
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = metal::max(out[i], 1.0f);
}

// --- function_in_no_namespace: none | rsqrt
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = rsqrt(out[i]);
}

// --- matrix_without_using: none | float4x4
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float4x4 m;
  out[i] = 0;
}

// --- integral_vector: ..
#include <metal_stdlib>
using namespace metal;
template <typename T, typename E = typename enable_if<is_integral<T>::value>::type>
T sign(T x) {
  return select(select(T(-1), T(0), x == T(0)), T(1), x > T(0));
}
kernel void k(device int4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sign(x[i]);
}

// --- vector_of_mixed_parts: ..
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = uint4(as_type<uint2>(1ul), 0, 1 << (i & 3));
}
