// Templates that deduce from vectors of bool what does not fit.
#include <metal_stdlib>
using namespace metal;
template <typename T> T first(vec<T, 2> v) { return v.x; }
template <typename T> T both(vec<T, 2> a, vec<T, 2> b) { return a.x; }
template <typename T> T with(vec<T, 2> a, T b) { return b; }
template <typename T> struct Of {};
template <typename T> struct Of<vec<T, 2>> { using type = T; };
kernel void f(device bool2* a, device float* out) {
  out[0] = both(a[0], float2(1));  // expect: no matching function for call to 'both'
  out[1] = first(bool3(true));  // expect: no matching function for call to 'first'
  out[2] = with(a[0], 1.0f);  // expect: no matching function for call to 'with'
  Of<bool3>::type x;  // expect: no type named 'type' in 'Of<bool3>'
  out[4] = first<float>(a[0]);  // expect: no matching function for call to 'first'
  vec<bool, 2> v = float2(1);  // expect: no viable conversion from 'float2'
}
