#pragma once
#include <metal_stdlib>

namespace shared {

template <typename T>
struct Lowest {
  static constexpr constant T value = metal::numeric_limits<T>::lowest();
};
template <>
struct Lowest<bool> {
  static constexpr constant bool value = false;
};

template <typename T>
using enable_if_float_t = metal::enable_if_t<metal::is_floating_point_v<T>, bool>;
template <typename T>
using enable_if_integer_t = metal::enable_if_t<!metal::is_floating_point_v<T>, bool>;

}  // namespace shared
