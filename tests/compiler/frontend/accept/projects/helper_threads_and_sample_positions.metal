// simd_is_helper_thread() and get_sample_position(n).
#include <metal_stdlib>
using namespace metal;
struct In { float4 position [[position]]; float2 uv; };
fragment float4 skips(In in [[stage_in]]) { return simd_is_helper_thread() ? float4(0) : float4(in.uv, 0, 1); }
fragment half4 counts_helpers(In in [[stage_in]]) { return half4(half(simd_sum(uint(metal::simd_is_helper_thread())))); }
template <typename T> T unless_helper(T value, T otherwise) { return !simd_is_helper_thread() ? value : otherwise; }
fragment float4 of_template(In in [[stage_in]]) { return unless_helper(in.position, float4(1)); }
static bool counts(float value) { return value > 0 && !metal::simd_is_helper_thread(); }
fragment void stores(In in [[stage_in]], device atomic_uint* seen [[buffer(0)]]) { if (counts(in.uv.x)) atomic_fetch_add_explicit(seen, 1u, memory_order_relaxed); }
fragment float4 votes(In in [[stage_in]]) { const bool helps = simd_is_helper_thread(); return simd_any(helps) ? float4(dfdx(in.uv), 0, 1) : float4(0); }
fragment float4 at_sample(In in [[stage_in]], uint sample [[sample_id]]) { return float4(get_sample_position(sample), 0, 1); }
fragment float4 of_samples(In in [[stage_in]]) {
  float2 sum = 0;
  for (uint s = 0; s < 4; ++s) sum += metal::get_sample_position(s);
  return float4(sum / get_num_samples(), in.uv);
}
static inline float2 offset_of(uint s) { return get_sample_position(s) - 0.5f; }
fragment float4 offset(In in [[stage_in]], uint s [[sample_id]]) { return float4(in.uv + offset_of(s), 0, 0); }
fragment float red(In in [[stage_in]]) { return get_sample_position(0u).x; }
fragment float2 first_and_last(In in [[stage_in]]) { constexpr uint last = 3; return get_sample_position(0) + get_sample_position(last); }
