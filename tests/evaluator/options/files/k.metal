#include <metal_stdlib>
using namespace metal;
constant float extra [[function_constant(0)]];
#ifndef ADD
#define ADD 0
#endif
#if __METAL_VERSION__ >= 410 || !defined(__FAST_MATH__)
#undef ADD
#define ADD 1
#endif
#ifdef LARGE
template <int N, int M> struct Large { enum { value = Large<N - 1, 2 * M>::value + Large<N - 1, 2 * M + 1>::value }; };
template <int M> struct Large<0, M> { enum { value = 1 }; };
constant int large = Large<LARGE, 0>::value;
#endif
kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
#ifdef BAD
  if (i == 0) y[n] = 0;
#endif
  if (i < n) y[i] = 2 * x[i] + ADD + (is_function_constant_defined(extra) ? extra : 0);
}
kernel void other(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 0; }
