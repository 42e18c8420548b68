// In the manner of graphics drivers: one kernel for all kinds of textures, whose arguments share an index under constants
// of which one is true.
#include <metal_stdlib>
using namespace metal;

constant uint source_kind [[function_constant(0)]];
constant bool is_layered [[function_constant(1)]];
constant bool from_flat = source_kind == 0;
constant bool from_cube = source_kind == 1;
constant bool from_volume = source_kind == 2;
constant bool to_flat = !is_layered;

struct Blit {
  uint2 size;
  uint layer;
  float level;
};

kernel void blit(texture2d<float> flat [[texture(0), function_constant(from_flat)]],
                 texturecube<float> cube [[texture(0), function_constant(from_cube)]],
                 texture3d<float> volume [[texture(0), function_constant(from_volume)]],
                 texture2d<float, access::write> out [[texture(1), function_constant(to_flat)]],
                 texture2d_array<float, access::write> layers [[texture(1), function_constant(is_layered)]],
                 constant Blit& blit [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  if (any(at >= blit.size)) return;
  constexpr sampler linear(filter::linear, mip_filter::nearest);
  const float2 uv = (float2(at) + 0.5f) / float2(blit.size);
  float4 texel = 0;
  if (from_flat) texel = flat.sample(linear, uv, level(blit.level));
  if (from_cube) texel = cube.sample(linear, float3(uv * 2 - 1, 1), level(blit.level));
  if (from_volume) texel = volume.sample(linear, float3(uv, 0.5f), level(blit.level));
  if (to_flat) out.write(texel, at);
  if (is_layered) layers.write(texel, at, blit.layer);
}
