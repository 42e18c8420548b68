// Classes all the way: functors with overloads, traits, recursion over packs, members that choose at compile time.
#include "shared/value_types.h"
using namespace metal;

namespace ops {

template <class T> struct is_small { static constexpr constant bool value = sizeof(T) <= 2; };

struct Plus {
  static constexpr constant int identity = 0;
  template <typename T> T operator()(T a, T b) const { return a + b; }
  bool operator()(bool a, bool b) const { return a || b; }
};
struct Least {
  static constexpr constant int identity = 127;
  template <typename T> enable_if_t<is_integral_v<T>, T> operator()(T a, T b) const { return min(a, b); }
  template <typename T> enable_if_t<!is_integral_v<T>, T> operator()(T a, T b) const { return fmin(a, b); }
};

template <typename First, typename... Rest>
struct Chain {
  First first;
  Chain<Rest...> rest;
  template <typename T> T operator()(T a, T b) const { return rest(first(a, b), b); }
};
template <typename Only>
struct Chain<Only> {
  Only first;
  template <typename T> T operator()(T a, T b) const { return first(a, b); }
};

template <typename T, short N>
struct Cursor {
  device const T* at;
  size_t step;
  T operator*() const { return *at; }
  thread Cursor& operator++() {
    at += step * N;
    return *this;
  }
};

}  // namespace ops

template <typename T, typename Op, short N>
struct Fold {
  using U = conditional_t<ops::is_small<T>::value, shared::opmath_t<T>, T>;
  static U run(device const T* values, uint count, uint from, uint step) {
    U result = U(Op::identity);
    ops::Cursor<T, N> cursor{values + from, step};
    for (uint at = from; at < count; at += step * N, ++cursor) result = Op()(result, U(*cursor));
    return result;
  }
};

template <typename T, typename Op, short N>
kernel void fold(device const T* values [[buffer(0)]], device T* results [[buffer(1)]],
                 constant uint& count [[buffer(2)]], uint at [[thread_position_in_grid]],
                 uint threads [[threads_per_grid]]) {
  results[at] = T(Fold<T, Op, N>::run(values, count, at, threads));
}

template <typename T, typename Op, short N>
kernel void chain(device T* values [[buffer(0)]], constant uint& count [[buffer(1)]],
                  uint at [[thread_position_in_grid]]) {
  const ops::Chain<Op, ops::Plus, Op> all{};
  if (at < count) values[at] = all(values[at], T(N));
}

#define FOLD(T, OP, N)                                                                                       \
  template [[host_name("fold_" #T "_" #OP "_" #N)]] kernel decltype(fold<T, ops::OP, N>) fold<T, ops::OP, N>; \
  template [[host_name("chain_" #T "_" #OP "_" #N)]] kernel decltype(chain<T, ops::OP, N>) chain<T, ops::OP, N>;
#define FOLDS(T, N) FOLD(T, Plus, N) FOLD(T, Least, N)
// For each N, 20 kernels:
FOLDS(float, N) FOLDS(half, N) FOLDS(int, N) FOLDS(short, N) FOLDS(uchar, N)
