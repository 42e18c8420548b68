// Choices between objects in different address spaces have the value of either.
#include <metal_stdlib>
using namespace metal;

struct Pair {
  float x, y;
};
// Converts to anything but itself, as numbers of a library's own do.
template <typename T>
struct complex {
  T real, imag;
  constexpr complex(T r, T i) thread : real(r), imag(i) {}
  template <typename U, typename = enable_if_t<is_arithmetic_v<U>>>
  constexpr operator U() const thread { return static_cast<U>(real); }
  template <typename U, typename = enable_if_t<is_arithmetic_v<U>>>
  constexpr operator U() const device { return static_cast<U>(real); }
  template <typename U, typename = enable_if_t<is_arithmetic_v<U>>>
  constexpr operator U() const threadgroup { return static_cast<U>(real); }
  template <typename U, typename = enable_if_t<is_arithmetic_v<U>>>
  constexpr operator U() const constant { return static_cast<U>(real); }
};
template <typename T>
struct sum {
  static constexpr constant T init = T(0, 0);
};
constant Pair nothing = {0, 0};

template <typename T>
T first_of(threadgroup T* shared, uint count) {
  return count > 0 ? shared[0] : sum<T>::init;
}
#define OR(c, a, b) ((c) ? (a) : (b))

kernel void choices(device complex<float>* x [[buffer(0)]], device Pair* pairs [[buffer(1)]],
                    constant Pair* given [[buffer(2)]], uint i [[thread_position_in_grid]],
                    uint t [[thread_index_in_threadgroup]]) {
  threadgroup complex<float> shared[32];
  threadgroup Pair held[32];
  shared[t] = x[i];
  held[t] = t < 3 ? pairs[i] : nothing;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const complex<float> a = t < 3 ? shared[t] : sum<complex<float>>::init;
  x[i] = t < 2 ? a : t < 4 ? shared[t] : x[i];
  pairs[i] = t < 2 ? Pair{1, 2} : t < 4 ? held[t] : i < 9 ? pairs[0] : given[i];
  pairs[i + 1] = OR(i < max(4u, t), held[t], nothing);
  x[i + 1] = first_of(shared, i);
  pairs[0].x = (i < 2 ? pairs[i] : given[i]).x;
}

// Only some instances of a template are mixed.
template <typename T>
struct Greatest {
  static constexpr constant T init = T(0);
};
template <typename T>
void rows(device const T* in, thread T (&out)[2], T other, threadgroup T* tile, uint i) {
  out[0] = i > 2 ? in[i] : other;
  const auto first = i > 1 ? in[i] : T(Greatest<T>::init);
  T second = i > 0 ? tile[i] : Greatest<T>::init;
  out[1] = i > 3 ? first : second;
  thread T& last = i > 4 ? out[0] : out[1];
  last = other;
}
struct Complex {
  float re, im;
  constexpr Complex(float r) : re(r), im(0) {}
  Complex() = default;
};
kernel void rows_of_all(device const float* x [[buffer(0)]], device const Complex* z [[buffer(1)]],
                        device Complex* y [[buffer(2)]], threadgroup float* a [[threadgroup(0)]],
                        threadgroup Complex* b [[threadgroup(1)]], uint i [[thread_index_in_threadgroup]]) {
  float r[2];
  Complex c[2];
  rows(x, r, 1.0f, a, i);
  rows(z, c, Complex(2), b, i);
  y[i] = c[0];
  y[i].im = r[1];
}
