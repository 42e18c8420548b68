// What Apple's headers call their compiler's functions.
#include <metal_stdlib>
using namespace metal;

#pragma METAL internals : enable
inline bfloat my_exp(bfloat x) {
  return static_cast<bfloat>(__metal_exp(static_cast<float>(x), __METAL_MAYBE_FAST_MATH__));
}
inline bfloat my_fma(bfloat x, bfloat y, bfloat z) {
  return static_cast<bfloat>(__metal_fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}
inline float my_pow(float x, float y) {
  return __metal_pow(x, y, __METAL_FAST_MATH__) + __metal_pow(x, y, __METAL_PRECISE_MATH__);
}
inline float my_xor(float x) { return __metal_simd_xor(x) + __metal_simd_shuffle_xor(x, ushort(1)); }
template <typename T>
constexpr constant bool is_number = _disjunction<is_same<T, int>, is_same<T, float>>::value;

kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = is_number<float> ? my_xor(my_pow(x[i], float(my_exp(my_fma(bfloat(x[i]), 1.0bf, 2.0bf))))) : 0;
  x[i] += __metal_get_simdgroup_size(ushort()) + vec_elements<float3>::value;
}
