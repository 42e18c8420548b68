// Facts: accepted constructs. ../README.md explains the lines that begin a source.
// --- recursion: accepted
// evidence: Metal Shading Language specification: recursion since metal2.4
uint product(uint n) { return n < 2 ? 1 : n * product(n - 1); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = product(i); }

// --- pointer_to_function: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float x) { return 2 * x; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float (*f)(float) = twice;
  x[i] = f(x[i]);
}

// --- pointer_to_function_before: refused at metal2.0 | pointers to functions are not allowed
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float x) { return 2 * x; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float (*f)(float) = twice;
  x[i] = f(x[i]);
}

// --- pointer_to_member: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
struct S {
  int x;
  void f() {}
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int S::*m = &S::x;
  void (S::*f)() = &S::f;
  (void)m;
  (void)f;
  x[i] = 1;
}

// --- simd_names: accepted
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device simd_float4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = vector_float4(1) + simd_float4(x[i].x); }

// --- matrix_names_need_simd: refused | unknown type name 'matrix_float2x2'
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device matrix_float2x2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[0]; }

// --- matrix_names: accepted
// evidence: Metal Shading Language specification: simd types
#include <metal_stdlib>
#include <simd/simd.h>
using namespace metal;
kernel void k(device matrix_float2x2* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = x[0]; }

// --- position_at_program_scope: accepted
// evidence: kernels of two repositories that build with it
const uint gid [[thread_position_in_grid]];
kernel void k(device uint* x [[buffer(0)]]) { x[gid] = gid; }

// --- value_of_a_threadgroup_variable: accepted
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  threadgroup float3 w(0);
  threadgroup float s(1);
  x[i] = w.x + s;
}
