// What sources ask about types at compile time.
#include <metal_stdlib>
#include <TargetConditionals.h>
using namespace metal;

static_assert(is_same_v<make_scalar_t<float4>, float>);
static_assert(is_same_v<make_scalar<half2>::type, half>);
static_assert(is_same_v<make_scalar_t<packed_uchar3>, uchar>);
static_assert(is_same_v<make_scalar_t<bool3>, bool>);
static_assert(is_same_v<make_scalar_t<int>, int>);
static_assert(is_same_v<make_scalar_t<const uint2>, const uint>);

static_assert(is_vector_v<float4> && is_vector_v<bool2> && is_vector<packed_half3>::value);
static_assert(is_vector_v<const int3> && !is_vector_v<float> && !is_vector_v<float4x4>);
static_assert(is_scalar_v<float> && !is_scalar_v<float4>);

// Metal lacks this one, so that libraries of kernels define it.
#pragma METAL internals : enable
namespace metal {
template <typename T>
struct is_empty : bool_constant<__is_empty(T)> {};
template <typename T>
constexpr constant bool is_empty_v = is_empty<T>::value;
}  // namespace metal
#pragma METAL internals : disable

struct Empty {};
struct Pair {
  int a;
  float b;
};
struct Made {
  Made(int v) : value(v) {}
  int value;
};
static_assert(is_empty_v<Empty> && !is_empty<Pair>::value);
static_assert(is_constructible_v<Made, int> && !is_default_constructible_v<Made>);
static_assert(is_trivially_default_constructible_v<Pair>);
static_assert(is_copy_constructible_v<Made> && is_move_constructible_v<Made>);
static_assert(is_copy_assignable_v<Made> && is_trivially_move_assignable_v<Pair>);
static_assert(!is_assignable_v<int, int> && is_assignable_v<thread int&, int>);
static_assert(is_trivially_destructible_v<Made> && is_destructible<Pair>::value);
static_assert(extent_v<int[3][5], 1> == 5 && rank_v<int[3][5]> == 2);

#if !TARGET_OS_OSX || TARGET_OS_IOS || TARGET_OS_SIMULATOR || !TARGET_RT_LITTLE_ENDIAN
#error "macOS is expected"
#endif

template <typename T>
void scale(device T* values, uint i) {
  using Scalar = make_scalar_t<T>;
  values[i] *= Scalar(2);
}

kernel void f(device float4* x [[buffer(0)]], device half* y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) {
  scale(x, i);
  scale(y, i);
}
