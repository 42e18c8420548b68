// Functions, kernels, lanes and textures. README.md explains the lines that begin a source.
// --- lambda: metal3.2.. | lambda expressions are not supported in Metal
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  auto twice = [](float v) { return 2.0f * v; };
  out[i] = twice(out[i]);
}

// --- lambda_with_capture: metal3.2.. | lambda expressions are not supported in Metal
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float s = 2;
  auto scaled = [=](float v) { return s * v; };
  out[i] = scaled(out[i]);
}

// --- lambda_with_references: metal3.2.. | lambda expressions are not supported in Metal
#include <metal_stdlib>
using namespace metal;
template <typename F>
void each(int n, F f) {
  for (int i = 0; i < n; ++i) f(i);
}
kernel void k(device float* out [[buffer(0)]], constant int& n [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  float sum = 0, largest = 0;
  each(n, [&](int j) { sum += j; });
  each(n, [&sum, &largest](int j) { largest = max(largest, sum + j); });
  out[i] = sum + largest;
}

// --- if_constexpr: ..
#include <metal_stdlib>
using namespace metal;
template <int N>
float value() {
  if constexpr (N > 1) return 2;
  else return 1;
}
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = value<2>();
}

// --- goto: none | goto
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i > 3) goto end;
  out[i] = 1;
end:
  out[i] = 2;
}

// --- exception: none | exception
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  throw 1;
}

// --- restrict: none | restrict
#include <metal_stdlib>
using namespace metal;
void f(device float* restrict x) {}
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  f(out);
}

// --- two_kernels_of_one_name: none | kernel 'k' cannot be overloaded
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}
kernel void k(device int* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}

// --- two_instances_of_one_name: none | another kernel has the host name 'k'
#include <metal_stdlib>
using namespace metal;
template <typename T>
kernel void k(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0; }
template [[host_name("k")]] kernel void k<float>(device float*, uint);
template [[host_name("k")]] kernel void k<int>(device int*, uint);

// --- instances_with_names: ..
#include <metal_stdlib>
using namespace metal;
template <typename T>
kernel void k(device T* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0; }
template [[host_name("k_float")]] kernel void k<float>(device float*, uint);
template [[host_name("k_int")]] kernel void k<int>(device int*, uint);

// --- function_overload: ..
#include <metal_stdlib>
using namespace metal;
float f(float x) { return x; }
float f(int x) { return x; }
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = f(1) + f(1.0f);
}

// --- function_constant: ..
#include <metal_stdlib>
using namespace metal;
constant bool has_bias [[function_constant(0)]];
kernel void k(device float* out [[buffer(0)]], device float* bias [[buffer(1), function_constant(has_bias)]], uint i [[thread_position_in_grid]]) {
  out[i] = has_bias ? bias[i] : 0.0f;
}

// --- undeclared_function_constant: none | use of undeclared identifier 'q'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], device float* bias [[buffer(1), function_constant(q)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
}

// --- visible_function_table: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(visible_function_table<float(float)> table [[buffer(1)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = table[0](1.0f);
}

// --- simd_sum: .. | Apple7
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = simd_sum(out[i]);
}

// --- simd_shuffle: .. | Apple6
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = simd_shuffle_xor(out[i], 1);
}

// --- simd_sum_of_long: none | no matching function for call to 'simd_sum'
#include <metal_stdlib>
using namespace metal;
kernel void k(device long* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = simd_sum(x[i]);
}

// --- texture_atomic: metal3.1.. | Apple6 | atomic_fetch_add
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<uint, access::read_write> t [[texture(0)]], uint2 i [[thread_position_in_grid]]) {
  t.atomic_fetch_add(i, uint4(1));
}

// --- read_write_texture: .. | Apple4
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read_write> t [[texture(0)]], uint2 i [[thread_position_in_grid]]) {
  t.write(t.read(i) * 2, i);
}
