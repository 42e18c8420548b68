// Templates over the elements of vectors, with vectors of bool.
// grid: 1
// threadgroup: 1
// in 0: uint 1 0 1 1
// in 1: float 1 -2 3 -4
// out 2: uint 1 0 1 4 9 2 11 5 1 0
#include <metal_stdlib>
using namespace metal;

template <typename T> uint kind(T) { return 1; }
template <typename T, int N> uint kind(vec<T, N>) { return is_same_v<T, bool> ? 4 : 3; }
template <typename T> T last(vec<T, 2> v) { return v[1]; }
template <typename T> T last(vec<T, 4> v) { return v.a; }
template <typename V> struct bits { static uint of(V v) { return 0; } };
template <typename T, int N> struct bits<vec<T, N>> {
  static uint of(vec<T, N> v) {
    uint all = 0;
    for (int i = 0; i < N; ++i) all |= uint(v[i] != T(0)) << i;
    return all;
  }
};
template <typename T, int N> vec<T, N> reversed(vec<T, N> v) {
  vec<T, N> r;
  for (int i = 0; i < N; ++i) r[i] = v[N - 1 - i];
  return r;
}
template <typename T, typename U, int N> vec<T, N> cast(vec<U, N> v) { return vec<T, N>(v); }

kernel void k(device const uint* in [[buffer(0)]], device const float* x [[buffer(1)]], device uint* out [[buffer(2)]]) {
  const bool4 m(in[0], in[1], in[2], in[3]);
  out[0] = last(m);
  out[1] = last(m.xy);
  out[2] = kind(in[0]);
  out[3] = kind(m);
  out[4] = bits<bool4>::of(m & bool4(true, true, false, true));
  out[5] = bits<bool2>::of(reversed(m.xy));
  out[6] = bits<bool4>::of(reversed(m) & cast<bool>(uint4(7, 5, 0, 1)));
  out[7] = bits<bool4>::of(float4(x[0], x[1], x[2], x[3]) > 0.0f);
  out[8] = cast<uint>(m.zw).y;
  out[9] = uint(last(float2(x[0], 0)));
}
