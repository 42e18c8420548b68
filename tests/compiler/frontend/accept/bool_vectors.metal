// Comparisons of vectors give vectors of bool.
#include <metal_stdlib>
using namespace metal;

template <uint N>
inline vec<bool, N> both(vec<bool, N> a, vec<bool, N> b) {
  return a && b;
}
template <uint N>
inline vec<bool, N> odd(vec<ushort, N> v) {
  return (vec<bool, N>)(v & ushort(1));
}

kernel void bools(device float4* out [[buffer(0)]], device const float4* in [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  const float4 a = in[i], b = in[i + 1];
  bool4 less = a < b;
  const bool4 equal = a == b;
  less = !less || (equal & (a != 2.0f)) ^ bool4(true, false, less.xy);
  less &= int4(a) >= int4(b);
  less.x = !less.y;
  less[2] = equal[1];
  bool3 three = less.xyz;
  const bool2 two(true, less.w);
  if (any(less) && all(two) && any(a > b) && !all(isnan(a)) && all(three == bool3(false)))
    out[i] = select(a, b, less) + float4(less);
  out[i] += select(a, b, a < b) + select(1.0f, 2.0f, a.x < b.x);
  out[i].x += both(less, equal).x + both(two, bool2(false)).y + odd(ushort4(i)).z;
  const bool4 chosen = select(less, equal, bool4(true));
  const uint4 ones = uint4(chosen) + uint4(a <= b);
  out[i] += float4(ones) + float4(vec<bool, 4>(true));
}
