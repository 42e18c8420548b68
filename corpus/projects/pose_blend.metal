// In the manner of games and phone libraries: rows times matrices in place, vectors by the names of traits, and colours
// that drop their last component.
#include <metal_stdlib>
#include <TargetConditionals.h>
using namespace metal;

template <typename T>
METAL_FUNC T signed_by(T x) METAL_CONST_ARG(x) { return x; }

template <typename T, typename = enable_if_t<is_integral<T>::value>>
T signs(T x) { return select(select(T(0), T(1), x > T(0)), T(-1), x < T(0)); }

template <typename V>
V mixed(V a, V b, make_scalar_t<V> t) {
  using Same = decltype(a + b);
  return Same(a.x, a.y, a.z, a.w) * (make_scalar_t<V>(1) - t) + b * t;
}

kernel void blend(device float4* points [[buffer(0)]], constant float4x4& pose [[buffer(1)]],
                  device half4* tints [[buffer(2)]], device int4* offsets [[buffer(3)]],
                  device packed_float3* colours [[buffer(4)]], constant uint& count [[buffer(5)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  float4 point = points[i];
  point *= pose;
  points[i] = mixed(point, signed_by(points[i]), 0.25f);
  tints[i] = mixed(tints[i], half4(1), half(TARGET_OS_OSX ? 0.5 : 0.25));
  offsets[i] = signs(offsets[i]);
  const float4 colour = float4(tints[i]);
  colours[i] = metal::float3(colour);
}
