// What fragment functions ask about samples and helper threads, and inputs that they interpolate
// themselves.
#include <metal_stdlib>
using namespace metal;

struct Varying {
  float4 position [[position]];
  interpolant<float2, interpolation::perspective> uv [[user(locn0)]];
  interpolant<half4, interpolation::no_perspective> tint [[user(locn1)]];
  uint layer [[user(locn2) flat]];
};
struct Painted {
  float4 first [[color(0) index(0)]];
  float4 second [[color(0), index(1)]];
};
fragment Painted paint(Varying in [[stage_in]], uint sample [[sample_id]]) {
  if (simd_is_helper_thread() || quad_is_helper_thread()) return {};
  const float2 offset = get_sample_position(sample) / float(get_num_samples());
  Painted painted;
  painted.first = float4(in.uv.interpolate_at_centroid(), in.uv.interpolate_at_offset(offset));
  painted.second = float4(in.tint.interpolate_at_center() * in.tint.interpolate_at_sample(sample));
  return painted;
}

template <typename T>
METAL_FUNC T weight(T x, int kind) METAL_CONST_ARG(kind) {
  return x * T(kind);
}
METAL_PURE float twice(float x) { return weight(x, 2); }
