// Templates of kernels, given to the host by name.
#include <metal_stdlib>
using namespace metal;

template <typename T>
struct Limits {
  static constexpr constant T least = numeric_limits<T>::lowest();
};
template <typename T, typename U, enable_if_t<is_integral_v<U>, bool> = true>
T add(T a, U b) {
  return a + T(b);
}
template <typename T, typename U, enable_if_t<!is_integral_v<U>, bool> = true>
T add(T a, U b) {
  return a - static_cast<T>(b);
}
template <typename... A>
float total(A... all) {
  return (0.0f + ... + float(all));
}

template <typename T, int N>
[[kernel]] void scale(device T* x [[buffer(0)]], constant T& a [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
#pragma unroll
  for (int k = 0; k < N; ++k) x[i * N + k] = add(x[i * N + k] * a, k) + T(total(1, 2.0f, 3.0h));
  if constexpr (is_same_v<T, float>) x[0] = max(x[0], Limits<T>::least);
}
template [[host_name("scale_float_2")]] [[kernel]] void scale<float, 2>(device float*, constant float&, uint);
template [[host_name("scale_half_4")]] [[kernel]] decltype(scale<half, 4>) scale<half, 4>;

#define INSTANTIATE(name, type) \
  template [[host_name(#name)]] [[kernel]] decltype(scale<type, 1>) scale<type, 1>;
INSTANTIATE(scale_bfloat, bfloat)
INSTANTIATE(scale_int, int)

static_assert(is_same_v<conditional_t<true, int, float>, int> && is_floating_point_v<half>, "");
static_assert(numeric_limits<uchar>::max() == 255 && numeric_limits<int>::min() == -2147483647 - 1, "");
