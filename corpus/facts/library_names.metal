// Facts: library names. ../README.md explains the lines that begin a source.
// --- vector_saturate: refused | call to 'saturate' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 saturate(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = saturate(x[i]); }

// --- vector_fract: refused | call to 'fract' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 fract(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fract(x[i]); }

// --- vector_abs: refused | call to 'abs' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 abs(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = abs(x[i]); }

// --- vector_floor: refused | call to 'floor' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 floor(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = floor(x[i]); }

// --- vector_sqrt: refused | call to 'sqrt' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 sqrt(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = sqrt(x[i]); }

// --- vector_exp: refused | call to 'exp' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 exp(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = exp(x[i]); }

// --- vector_sign: refused | call to 'sign' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 sign(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = sign(x[i]); }

// --- vector_max: refused | call to 'max' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 max(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = max(x[i], x[i + 1]); }

// --- vector_min: refused | call to 'min' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 min(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = min(x[i], x[i + 1]); }

// --- vector_step: refused | call to 'step' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 step(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = step(x[i], x[i + 1]); }

// --- vector_pow: refused | call to 'pow' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 pow(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = pow(x[i], x[i + 1]); }

// --- vector_divide: refused | call to 'divide' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 divide(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = divide(x[i], x[i + 1]); }

// --- vector_fmod: refused | call to 'fmod' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 fmod(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fmod(x[i], x[i + 1]); }

// --- vector_mix: refused | call to 'mix' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 mix(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mix(x[i], x[i + 1], x[i + 2]); }

// --- vector_clamp: refused | call to 'clamp' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 clamp(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = clamp(x[i], x[i + 1], x[i + 2]); }

// --- vector_smoothstep: refused | call to 'smoothstep' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 smoothstep(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = smoothstep(x[i], x[i + 1], x[i + 2]); }

// --- vector_fma: refused | call to 'fma' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 fma(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fma(x[i], x[i + 1], x[i + 2]); }

// --- scalar_saturate: refused | call to 'saturate' is ambiguous
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
float saturate(float a) { return a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = saturate(x[i]); }

// --- scalar_fract: refused | call to 'fract' is ambiguous
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
half fract(half a) { return a; }
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fract(x[i]); }

// --- scalar_max: refused | call to 'max' is ambiguous
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
int max(int a, int b) { return a; }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = max(x[i], x[i + 1]); }

// --- scalar_clamp: refused | call to 'clamp' is ambiguous
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
uint clamp(uint a, uint b, uint c) { return a; }
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = clamp(x[i], x[i + 1], x[i + 2]); }

// --- scalar_sin: refused | call to 'sin' is ambiguous
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
float sin(float a) { return a; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = sin(x[i]); }

// --- qualified_saturate: accepted
// evidence: C++: a qualified name is looked up in one scope
float3 saturate(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = ::saturate(x[i]); }

// --- own_name_saturate: accepted
// evidence: C++: overload resolution
float3 my_saturate(float3 a) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = my_saturate(x[i]); }

// --- in_a_namespace_saturate: accepted
// evidence: C++: a qualified name is looked up in one scope
namespace mine {
float3 saturate(float3 a) { return a; }
}
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mine::saturate(x[i]); }

// --- qualified_mix: accepted
// evidence: C++: a qualified name is looked up in one scope
float3 mix(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = ::mix(x[i], x[i + 1], x[i + 2]); }

// --- own_name_mix: accepted
// evidence: C++: overload resolution
float3 my_mix(float3 a, float3 b, float3 c) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = my_mix(x[i], x[i + 1], x[i + 2]); }

// --- in_a_namespace_mix: accepted
// evidence: C++: a qualified name is looked up in one scope
namespace mine {
float3 mix(float3 a, float3 b, float3 c) { return a; }
}
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mine::mix(x[i], x[i + 1], x[i + 2]); }

// --- qualified_max: accepted
// evidence: C++: a qualified name is looked up in one scope
float3 max(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = ::max(x[i], x[i + 1]); }

// --- own_name_max: accepted
// evidence: C++: overload resolution
float3 my_max(float3 a, float3 b) { return a; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = my_max(x[i], x[i + 1]); }

// --- in_a_namespace_max: accepted
// evidence: C++: a qualified name is looked up in one scope
namespace mine {
float3 max(float3 a, float3 b) { return a; }
}
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = mine::max(x[i], x[i + 1]); }

// --- enumerator_float2: refused | redefinition of
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
enum Names { float2 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- member_float2: accepted
// evidence: C++: a member has a scope of its own
struct S {
  float float2;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.float2;
}

// --- enumerator_half4: refused | redefinition of
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
enum Names { half4 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- member_half4: accepted
// evidence: C++: a member has a scope of its own
struct S {
  float half4;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.half4;
}

// --- enumerator_uint3: refused | redefinition of
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
enum Names { uint3 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- member_uint3: accepted
// evidence: C++: a member has a scope of its own
struct S {
  float uint3;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.uint3;
}

// --- enumerator_simd_float4: refused | redefinition of
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
enum Names { simd_float4 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- member_simd_float4: accepted
// evidence: C++: a member has a scope of its own
struct S {
  float simd_float4;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.simd_float4;
}

// --- enumerator_vector_uint2: refused | redefinition of
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
enum Names { vector_uint2 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }

// --- member_vector_uint2: accepted
// evidence: C++: a member has a scope of its own
struct S {
  float vector_uint2;
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  S s{1};
  x[i] = s.vector_uint2;
}

// --- half_vector_mix: refused | call to 'mix' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
half3 mix(half3 a, half3 b, half3 t) { return a + (b - a) * t; }
kernel void k(device half3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = mix(x[i], x[i + 1], x[i + 2]);
}

// --- float2_fract: refused | call to 'fract' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
static inline float2 fract(float2 a) { return a - 1; }
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = fract(x[i]);
}

// --- float4_clamp: refused | call to 'clamp' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
inline float4 clamp(float4 a, float4 low, float4 high) { return max(low, min(a, high)); }
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clamp(x[i], float4(0), float4(1));
}

// --- int_vector_abs: refused | call to 'abs' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
int2 abs(int2 a) { return max(a, -a); }
kernel void k(device int2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = abs(x[i]);
}

// --- uint_vector_min: refused | call to 'min' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
uint4 min(uint4 a, uint4 b) { return select(a, b, b < a); }
kernel void k(device uint4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = min(x[i], x[i + 1]);
}

// --- uint_vector_popcount: refused | call to 'popcount' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
uint2 popcount(uint2 a) { return a & 1; }
kernel void k(device uint2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = popcount(x[i]);
}

// --- vector_cos: refused | call to 'cos' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float2 cos(float2 a) { return 1 - a * a / 2; }
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = cos(x[i]);
}

// --- vector_tanh: refused | call to 'tanh' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
half4 tanh(half4 a) { return a / (1 + a); }
kernel void k(device half4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = tanh(x[i]);
}

// --- vector_rsqrt: refused | call to 'rsqrt' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float4 rsqrt(float4 a) { return 1 / sqrt(a); }
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = rsqrt(x[i]);
}

// --- vector_atan2: refused | call to 'atan2' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 atan2(float3 a, float3 b) { return atan(a / b); }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = atan2(x[i], x[i + 1]);
}

// --- int_min: refused | call to 'min' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
int min(int a, int b) { return a < b ? a : b; }
kernel void k(device int* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = min(x[i], x[i + 1]);
}

// --- uint_clz: refused | call to 'clz' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
uint clz(uint a) { return a ? 31 - a : 32; }
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clz(x[i]);
}

// --- half_clamp: refused | call to 'clamp' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
half clamp(half a, half low, half high) { return a < low ? low : a > high ? high : a; }
kernel void k(device half* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clamp(x[i], 0.0h, 1.0h);
}

// --- float_sign: refused | call to 'sign' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float sign(float a) { return a < 0 ? -1 : 1; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sign(x[i]);
}

// --- float_mix: refused | call to 'mix' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float mix(const float a, const float b, const float t) { return a + (b - a) * t; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = mix(x[i], x[i + 1], x[i + 2]);
}

// --- float_exp_in_a_helper: refused | call to 'exp' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float exp(float a) { return 1 + a; }
float sigmoid(float a) { return 1 / (1 + exp(-a)); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sigmoid(x[i]);
}

// --- vector_floor_in_a_member: refused | call to 'floor' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float2 floor(float2 a) { return a - 0.5f; }
struct Grid {
  float2 cell;
  float2 below() const { return floor(cell); }
};
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Grid grid{x[i]};
  x[i] = grid.below();
}

// --- vector_step_in_a_macro: refused | call to 'step' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
#define EDGE(a, b) step(a, b)
float2 step(float2 a, float2 b) { return select(float2(1), float2(0), b < a); }
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = EDGE(x[i], x[i + 1]);
}

// --- named_vector_saturate: refused | call to 'saturate' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
typedef half3 Colour;
Colour saturate(Colour a) { return clamp(a, 0.0h, 1.0h); }
kernel void k(device half3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = saturate(x[i]);
}

// --- vector_max_in_a_template: refused | call to 'max' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float4 max(float4 a, float4 b) { return select(a, b, a < b); }
template <typename T>
T largest(T a, T b, T c) { return max(a, max(b, c)); }
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = largest(x[i], x[i + 1], x[i + 2]);
}

// --- vector_fma_nested: refused | call to 'fma' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float2 fma(float2 a, float2 b, float2 c) { return a * b + c; }
kernel void k(device float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = fma(fma(x[i], x[i], x[i]), x[i], float2(1));
}

// --- vector_log2_declared_first: refused | call to 'log2' is ambiguous
// evidence: SPIRV-Cross issue 2228: call to divide is ambiguous
float3 log2(float3 a);
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = log2(x[i]); }
float3 log2(float3 a) { return a - 1; }

// --- scalar_amount_of_mix: accepted
// evidence: C++: overload resolution
float3 mix(float3 a, float3 b, float t) { return a + (b - a) * t; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = mix(x[i], x[i + 1], 0.5f);
}

// --- clamp_of_one: accepted
// evidence: C++: overload resolution
float3 clamp(float3 a) { return saturate(a); }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = clamp(x[i]);
}

// --- max_of_four: accepted
// evidence: C++: overload resolution
float max(float a, float b, float c, float d) { return metal::max(metal::max(a, b), metal::max(c, d)); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(x[i], x[i + 1], x[i + 2], x[i + 3]);
}

// --- max_of_a_struct: accepted
// evidence: C++: overload resolution
struct Pair {
  float key;
  uint value;
};
Pair max(Pair a, Pair b) { return a.key < b.key ? b : a; }
kernel void k(device Pair* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = max(Pair(x[i]), Pair(x[i + 1]));
}

// --- abs_of_a_complex_number: accepted
// evidence: C++: overload resolution
struct Complex {
  float re;
  float im;
};
float abs(Complex a) { return sqrt(a.re * a.re + a.im * a.im); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = abs(Complex{x[i], x[i + 1]}) + abs(x[i]);
}

// --- member_named_saturate: accepted
// evidence: C++: overload resolution
struct Colour {
  float3 a;
  float3 saturate() const { return metal::saturate(a); }
};
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Colour colour{x[i]};
  x[i] = colour.saturate();
}

// --- without_using: accepted
// evidence: C++: overload resolution
#include <metal_stdlib>
float2 fract(float2 a) { return a - metal::floor(a); }
kernel void k(device metal::float2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = fract(x[i]); }

// --- variable_named_step: accepted
// evidence: C++: a local name hides others
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float step = 1, mix = 2, length = 3;
  x[i] = step + mix + length;
}

// --- parameter_named_distance: accepted
// evidence: C++: a local name hides others
float f(float distance, float min, float max) { return distance < min ? min : distance > max ? max : distance; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(x[i], 0, 1);
}

// --- variable_hides_the_function: refused
// evidence: C++: a local name hides others
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float max = 0;
  x[i] = max(x[i], max);
}

// --- namespace_of_ones_own: accepted
// evidence: C++: a local name hides others
namespace own {
float4 sqrt(float4 a) { return a / 2; }
float4 twice(float4 a) { return 2 * sqrt(a); }
}
kernel void k(device float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = own::sqrt(x[i]) + own::twice(x[i]) + metal::sqrt(x[i]);
}

// --- macro_of_a_name: accepted
// evidence: C++: a local name hides others
#define saturate(a) metal::clamp(a, 0.0f, 1.0f)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = saturate(x[i]);
}

// --- own_distance: refused | call to 'distance' is ambiguous
// evidence: an issue that quotes the compiler: 'call to distance is ambiguous' (phandasm/waveform 87)
float distance(float3 a, float3 b) { return a.x - b.x; }
kernel void k(device float3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { float3 v = x[i]; x[i] = distance(v, v); }

// --- own_length: refused | call to 'length' is ambiguous
// evidence: an issue that quotes the compiler: 'call to distance is ambiguous' (phandasm/waveform 87)
half length(half4 a) { return a.x; }
kernel void k(device half4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { half4 v = x[i]; x[i] = length(v); }

// --- own_distance_of_integers: accepted
// evidence: Metal Shading Language specification: geometric functions are of floating-point vectors
int distance(int3 a, int3 b) { return a.x - b.x; }
kernel void k(device int3* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { int3 v = x[i]; x[i] = distance(v, v); }
