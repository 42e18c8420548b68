// vec<T, N> within other angle brackets, and as a member that a constructor initialises; vectors of the first elements
// of longer ones.
#include <metal_stdlib>
using namespace metal;
template <typename T, int N> vec<T, N> chosen(metal::vec<T, N> a, metal::vec<T, N> b, metal::vec<bool, N> c) { return metal::mix(a, b, static_cast<metal::vec<T, N>>(c)); }
template <typename T> vec<T, 2> two(vec<int, 2> v) { return static_cast<vec<T, 2>>(v); }
template <typename T> using pair_of = vec<T, 2>;
template <typename T> struct Plane { vec<T, 4> at; Plane(vec<T, 3> normal, T distance) : at(normal, distance) {} Plane() : at() {} };
template <typename T, int N> struct Range {
  vec<T, N> least;
  metal::vec<bool, 2> open;
  vec<float, 2> scale;
  Range(T x, T y) : least(x, y), open(true, x > y), scale(1, 2) {}
  Range(vec<T, 2> both) : least(both), open(both > T(0)), scale(float2(both)) {}
};
struct Cell { vec<int, 3> at; vec<uchar, 4> colours[2]; Cell(int a) : at(a, a, a), colours{vec<uchar, 4>(1), 2} {} };
kernel void all(device float2* a, device int2* b, device float* out) {
  a[0] = static_cast<vec<float, 2>>(b[0]) + static_cast<metal::vec<float, 2> >(b[1]) + chosen(a[0], a[1], bool2(true)) + two<float>(b[0]);
  a[1] = float2(static_cast<vec<bool, 2>>(b[0])) + static_cast<pair_of<float>>(b[1]) + float2(static_cast<metal::vec<bool, 2>>(b[1]));
  b[0] = as_type<vec<int, 2>>(a[0]);
  const Range<float, 2> range(1, 2);
  const Range<int, 2> whole(int2(3));
  out[0] = range.least.x + range.open.y + range.scale.y + whole.least.x + Plane<half>(half3(1), 2).at.w + Plane<bool>(bool3(true), false).at.x + Plane<float>().at.y + Cell(3).at.z + Cell(1).colours[1].y;
}
float3 colour(float4 v) { return metal::float3(v); }
template <typename T> half2 narrowed(T v) { return half2(v); }
struct Light { float3 at; Light(float4 v) : at(float3(v)) {} };
constant float2 origin = float2(float4(1, 2, 3, 4));
kernel void shortened(device float4* x, device int3* y, device uint4* z, uint i [[thread_position_in_grid]]) {
  x[i].xyz = colour(x[i]) + Light(x[i]).at + float3(z[i]);
  y[i].xy = int2(y[i]) + int2(x[i]);
  x[i].xy = float2(narrowed(half4(x[i]))) + origin;
}
