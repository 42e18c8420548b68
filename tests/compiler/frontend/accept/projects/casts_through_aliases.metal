// Several values in a cast to a name that depends on a template.
#include <metal_stdlib>
using namespace metal;
template <typename T> struct Pair { using type = vec<T, 2>; };
template <typename T> using four = vec<T, 4>;
template <typename T> T two_of(T x) { using V = decltype(vec<T, 2>()); const V v = V(x, x + T(1)); return v.x * v.y; }
template <typename T> T four_of(T x) { typedef four<T> V; return dot(V(x, x, T(1), T(0)), V(x)); }
template <typename T> T pair_of(T x) { return typename Pair<T>::type(x, T(2)).y; }
template <typename V> V like(V, float x) { using W = remove_cv_t<V>; return W(x, 2 * x, 3 * x); }
template <typename T> struct Holder { using V = vec<T, 3>; V value; Holder(T x) : value(V(x, x, x)) {} };
kernel void all(device float* x, uint i [[thread_position_in_grid]]) {
  x[i] = two_of(x[i]) + four_of(x[i]) + pair_of(x[i]) + like(float3(0), x[i]).z + Holder<float>(x[i]).value.y;
}
