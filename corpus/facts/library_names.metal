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
