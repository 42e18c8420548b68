// Lists, vectors and names that templates and the source's own functions decide about.
#include <metal_stdlib>
using namespace metal;

// ---- lists as arguments of templates

template <typename T>
struct Interval {
  T low, high;
};
struct Limits {
  float low, high;
};
template <typename T>
T both(thread const T& x, Interval<T> range) { return x + range.low + range.high; }
template <typename T>
T limited(T x, Limits limits) { return clamp(x, limits.low, limits.high); }
template <typename T>
T scaled(T x, float2 by) { return x * by.x + by.y; }
Limits meet(Limits a, Limits b) { return {max(a.low, b.low), min(a.high, b.high)}; }
float length_of(float2 v) { return length(v); }

// ---- vectors by names that depend

template <typename T>
struct Types;
template <>
struct Types<float> {
  using V4 = float4;
  typedef float2 V2;
};
template <typename T>
using Four = vec<T, 4>;
template <typename T>
float4 by_traits(T x) { return typename Types<T>::V4(x, x, x, x); }
template <typename T>
vec<T, 4> by_alias(T x) { return Four<T>(x, x, x, x); }
template <typename T>
float2 by_decltype(T x) {
  float2 y = x;
  using Same = decltype(y + y);
  return Same(x, x) + decltype(y)(x, 1);
}
float2 by_name(float x) { return Types<float>::V2(x, x); }

// ---- variables and members of a vector's other names

typedef float4 vec4;
using uvec2 = uint2;
typedef metal::float3 vec3;
struct Segment {
  vec3 from, to;
  Segment(vec3 a, vec3 b) : from(a), to(b.x, b.y, 1) {}
};
template <typename T>
float4 by_local_alias(T x) {
  using V = vec<T, 4>;
  V v(x, x, x, x);
  Four<T> w(x, x, x, x);
  return v + w;
}
float4 by_other_names() {
  vec4 p(1, 2, 3, 4), q(p.xy, 5, 6);
  uvec2 u(1, 2);
  const vec3 r(p.xy, 1);
  Segment segment(r, vec3(1));
  return p + q + float4(segment.to, u.x);
}

// ---- the source's own functions of the library's names

bool isequal(const float3 a, const float3 b) { return all(a == b); }
bool isequal(packed_float3 a, packed_float3 b) { return isequal(float3(a), float3(b)); }
struct Compare {
  bool isequal(float3 a, float3 b) const { return ::isequal(a, b); }
};
template <typename T, typename E = typename enable_if<is_integral<T>::value>::type>
T sign(T x) {
  return select(select(select(x, T(0), x == T(0)), T(1), x > T(0)), T(-1), x < T(0));
}

kernel void f(device float4* out [[buffer(0)]], device float3* v [[buffer(1)]],
              device int4* n [[buffer(2)]]) {
  const float x = out[0].x;
  out[0].x = both(x, {-1.f, 1.f}) + limited(x, {0.f, 1.f}) + scaled(x, {1.f, 2.f}) +
             meet({1, 2}, {3, 4}).low + length_of({1, 2}) + both<float>(x, {0.f, 1.f});
  out[1] = by_traits(x) + by_alias(x) + by_local_alias(x) + by_other_names() + float4(by_decltype(x), by_name(x));
  if (isequal(v[0], v[1]) && Compare().isequal(v[1], v[2])) v[0] = metal::float3(out[0]);
  n[0] = sign(n[0]);
}
