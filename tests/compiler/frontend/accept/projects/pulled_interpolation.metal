// Interpolants of all kinds, pulled at samples, centres and offsets.
#include <metal_stdlib>
using namespace metal;
struct In {
  float4 position [[position]];
  interpolant<float2, interpolation::perspective> uv;
  interpolant<float, interpolation::no_perspective> depth;
  interpolant<half3, interpolation::perspective> normal;
};
fragment float4 centre(In in [[stage_in]]) { return float4(in.uv.interpolate_at_center(), 0, 1); }
fragment float4 centroid(In in [[stage_in]]) { return float4(in.depth.interpolate_at_centroid()); }
fragment float4 sampled(In in [[stage_in]], uint s [[sample_id]]) { return float4(in.uv.interpolate_at_sample(s), 0, 1); }
fragment half4 offset(In in [[stage_in]]) { return half4(in.normal.interpolate_at_offset(float2(0.25f)), 1); }
template <typename T> T pulled(thread interpolant<T, interpolation::perspective>& from) { return from.interpolate_at_center(); }
fragment float4 of_template(In in [[stage_in]]) { return float4(pulled(in.uv), pulled(in.uv)); }
