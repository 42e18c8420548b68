// A table of pairs of types: headers that include headers, aliases that choose a type, strides in a struct.
#include "shared/group_sums.h"
#include "shared/value_types.h"
using namespace metal;
using namespace shared;

template <typename To, typename From, unsigned D>
kernel void convert(device const From* from [[buffer(0)]], device To* to [[buffer(1)]],
                    constant Strides<D>& sizes [[buffer(2)]], constant Strides<D>& strides [[buffer(3)]],
                    constant long& count [[buffer(4)]], uint index [[thread_position_in_grid]]) {
  if (index >= count) return;
  long place[D];
  long rest = index;
  for (unsigned d = 0; d < D; ++d) {
    place[d] = rest % sizes.step[d];
    rest /= sizes.step[d];
  }
  to[index] = cast_to<To>(from[offset_of<D>(place, strides)]);
}

template <typename To, typename From, unsigned D>
kernel void convert_and_add(device const From* from [[buffer(0)]], device To* to [[buffer(1)]],
                            constant uint& count [[buffer(2)]], uint index [[thread_position_in_threadgroup]],
                            uint width [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]],
                            uint simdgroup [[simdgroup_index_in_threadgroup]],
                            uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup opmath_t<From> partial[32];
  opmath_t<From> own = 0;
  for (uint at = index; at < count; at += width)
    for (unsigned d = 0; d < D; ++d) own += opmath_t<From>(from[at]);
  const opmath_t<From> sum = sum_of_threadgroup<From>(partial, own, lane, simdgroup, simdgroups);
  if (index == 0) to[0] = cast_to<To>(sum);
}

#define REGISTER(to, from, n)                                                                        \
  template [[host_name("convert_" #to "_" #from "_" #n)]] kernel void convert<to, from, n>(          \
      device const from*, device to*, constant Strides<n>&, constant Strides<n>&, constant long&, uint); \
  template [[host_name("convert_and_add_" #to "_" #from "_" #n)]] kernel void convert_and_add<to, from, n>( \
      device const from*, device to*, constant uint&, uint, uint, uint, uint, uint);
#define REGISTER_FROM(from, n) \
  REGISTER(float, from, n) REGISTER(half, from, n) REGISTER(bfloat, from, n) REGISTER(int, from, n) REGISTER(uchar, from, n)
// For each N, 50 kernels:
REGISTER_FROM(float, N) REGISTER_FROM(half, N) REGISTER_FROM(bfloat, N) REGISTER_FROM(int, N) REGISTER_FROM(char, N)
