#pragma once
#include "value_types.h"

namespace shared {

template <typename T, enable_if_float_t<T> = true>
inline T sum_of_simdgroup(T value) {
  return T(metal::simd_sum(float(value)));
}
template <typename T, enable_if_integer_t<T> = true>
inline T sum_of_simdgroup(T value) {
  return T(metal::simd_sum(int(value)));
}

// The sum of a threadgroup of at most 1,024 threads, known to all of them.
template <typename T>
inline opmath_t<T> sum_of_threadgroup(threadgroup opmath_t<T>* partial, opmath_t<T> value,
                                      uint lane, uint simdgroup, uint simdgroups) {
  const opmath_t<T> own = sum_of_simdgroup(value);
  if (lane == 0) partial[simdgroup] = own;
  metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
  opmath_t<T> sum = 0;
  for (uint at = 0; at < simdgroups; ++at) sum += partial[at];
  return sum;
}

}  // namespace shared
