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

// --- mutual_recursion: accepted
// evidence: Metal Shading Language specification: recursion since metal2.4
bool is_odd(uint n);
bool is_even(uint n) { return n == 0 ? true : is_odd(n - 1); }
bool is_odd(uint n) { return n == 0 ? false : is_even(n - 1); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = is_even(i) ? 1 : 2;
}

// --- recursion_of_a_template: accepted
// evidence: Metal Shading Language specification: recursion since metal2.4
template <typename T>
T power(T a, uint n) { return n == 0 ? T(1) : a * power(a, n - 1); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = power(x[i], i % 4);
}

// --- recursion_of_a_member: accepted
// evidence: Metal Shading Language specification: recursion since metal2.4
struct Tree {
  uint depth;
  uint leaves(uint n) const { return n == 0 ? 1 : 2 * leaves(n - 1); }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Tree tree{3};
  x[i] = tree.leaves(tree.depth);
}

// --- table_of_pointers_to_functions: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float a) { return 2 * a; }
float half_of(float a) { return a / 2; }
typedef float (*Unary)(float);
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Unary all[2] = {twice, half_of};
  x[i] = all[i % 2](x[i]);
}

// --- pointer_to_a_function_as_an_argument: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float a) { return 2 * a; }
float apply(float (*f)(float), float a) { return f(f(a)); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = apply(twice, x[i]);
}

// --- function_as_a_template_argument: accepted
// evidence: a public list of the compiler's messages (kagurasumusun/llvm-project, docs-metal/data)
float twice(float a) { return 2 * a; }
template <float (*f)(float)>
float apply(float a) { return f(f(a)); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = apply<twice>(x[i]);
}

// --- simd_names_of_integers: accepted
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device simd_int4* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  vector_uint2 a = vector_uint2(i);
  simd_uint3 b = simd_uint3(1);
  x[i] = simd_int4(x[i].x) + int(a.x + b.y);
}

// --- threadgroup_scalars_of_many_types: accepted
// evidence: probes whose comments give the compiler's verdict (cristim/mslc)
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup int a(1);
  threadgroup half b(2);
  threadgroup uint2 c(3);
  x[i] = float(a) + float(b) + float(c.x);
}

// --- enumerator_beyond_int: accepted
// evidence: C++: an enumeration has a type that holds its enumerators
enum Mask : uint { nothing = 0, every = 0xffffffff };
enum Wide { small = 1, wide = 0x100000000 };
enum class Flags : ulong { high = 0x8000000000000000 };
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = every == 0xffffffffu && wide > small && ulong(Flags::high) > 0 ? 1 : 2;
}

// --- enumerator_of_uint: accepted
// evidence: C++: an enumeration has a type that holds its enumerators
enum { largest = 0xffffffffu };
kernel void k(device uint* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = largest;
}

// --- if_constexpr: accepted
// evidence: kernels of MLX
template <typename T>
T doubled(T a) {
  if constexpr (is_integral<T>::value) {
    return a << 1;
  } else {
    return a * T(2);
  }
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = doubled(x[i]) + float(doubled(i));
}

// --- alias_templates_and_packs: accepted
// evidence: kernels of MLX
template <typename T, int n>
using Block = array<T, n>;
template <typename... Ts>
constexpr int count(Ts...) { return sizeof...(Ts); }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Block<float, 4> block;
  for (int j = 0; j < 4; ++j) block[j] = x[i + j];
  x[i] = block[count(1, 2.0f, 3u)];
}

// --- constexpr_members: accepted
// evidence: kernels of MLX
template <typename T>
struct Limits {
  static constexpr constant T largest = T(100);
  static constexpr T twice(T a) { return 2 * a; }
};
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = min(Limits<float>::largest, Limits<float>::twice(x[i]));
}

// --- operators_of_ones_own: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
struct Complex {
  float re;
  float im;
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
constexpr Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
kernel void k(device Complex* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = Complex(x[i]) * Complex(x[i + 1]) + Complex(x[i]);
}

// --- static_assertions: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
static_assert(sizeof(float3) == 16, "a float3 has the size of a float4");
template <int n>
float f(float a) {
  static_assert(n > 0, "n");
  return a * n;
}
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f<2>(x[i]);
}

// --- traits: accepted
// evidence: Metal Shading Language specification: C++14 with its restrictions
template <typename T, enable_if_t<is_floating_point<T>::value, bool> = true>
T f(T a) { return a / 2; }
template <typename T, enable_if_t<is_integral<T>::value, bool> = true>
T f(T a) { return a >> 1; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = f(x[i]) + float(f(i));
}

// --- trait_that_does_not_hold: refused | no matching function for call to 'f'
// evidence: Metal Shading Language specification: C++14 with its restrictions
template <typename T, enable_if_t<is_floating_point<T>::value, bool> = true>
T f(T a) { return a / 2; }
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = float(f(i));
}

// --- lambda: accepted
// evidence: Metal Shading Language specification: lambda expressions since Metal 3.2
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto scaled = [&](float by) { return x[i] * by; };
  x[i] = scaled(2);
}

// --- lambda_before: refused at metal2.4
// evidence: Metal Shading Language specification: lambda expressions since Metal 3.2
kernel void k(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto scaled = [&](float by) { return x[i] * by; };
  x[i] = scaled(2);
}
