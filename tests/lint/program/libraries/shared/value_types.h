#pragma once
#include "lowest_values.h"

namespace shared {
namespace detail {
// The type in which sums of T are computed.
template <typename T>
struct OpMath {
  using type = T;
};
template <>
struct OpMath<half> {
  using type = float;
};
template <>
struct OpMath<bfloat> {
  using type = float;
};
template <>
struct OpMath<char> {
  using type = int;
};
template <>
struct OpMath<uchar> {
  using type = uint;
};
}  // namespace detail

template <typename T>
using opmath_t = typename detail::OpMath<T>::type;

template <typename To, typename From>
inline To cast_to(From value) {
  return static_cast<To>(value);
}

template <unsigned N>
struct Strides {
  long step[N];
};

template <unsigned N>
inline long offset_of(thread long (&place)[N], constant Strides<N>& strides) {
  long offset = 0;
  for (unsigned d = 0; d < N; ++d) offset += place[d] * strides.step[d];
  return offset;
}

}  // namespace shared
