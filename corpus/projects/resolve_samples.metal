// In the manner of shader translators: attributes without commas, helper lanes, places of samples, inputs that the
// fragment function interpolates, and a kernel that resolves what they draw.
#include <metal_stdlib>
using namespace metal;

struct Varying {
  float4 place [[position]];
  interpolant<float3, interpolation::perspective> normal [[user(locn0)]];
  interpolant<float2, interpolation::no_perspective> uv [[user(locn1)]];
};
struct Targets {
  float4 lit [[color(0) index(0)]];
  float4 weight [[color(0) index(1)]];
};

fragment Targets shade(Varying in [[stage_in]], uint sample [[sample_id]]) {
  const float2 from = get_sample_position(sample);
  const float3 normal = in.normal.interpolate_at_offset(from);
  const float shown = simd_is_helper_thread() ? 0 : 1;
  return {float4(normalize(normal) * shown, 1), float4(in.uv.interpolate_at_sample(sample), from)};
}

kernel void resolve(texture2d_ms<float> drawn [[texture(0)]], texture2d<float, access::write> out [[texture(1)]],
                    uint2 at [[thread_position_in_grid]]) {
  if (at.x >= out.get_width() || at.y >= out.get_height()) return;
  float4 sum = 0;
  for (uint sample = 0; sample < drawn.get_num_samples(); ++sample) sum += drawn.read(at, sample);
  out.write(sum / drawn.get_num_samples(), at);
}
