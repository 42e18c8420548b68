// Light through a volume: each ray goes along z in steps, and samples between the texels.
#include <metal_stdlib>
using namespace metal;

constexpr sampler smooth_at_edges(coord::normalized, address::clamp_to_edge, filter::linear);

kernel void ray_march(texture3d<float, access::sample> density [[texture(0)]],
                      texture2d<float, access::write> picture [[texture(1)]],
                      constant uint& steps [[buffer(0)]],
                      uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(picture.get_width(), picture.get_height());
  if (any(at >= size)) return;
  const float2 place = (float2(at) + 0.5f) / float2(size);
  const float length_of_step = 1.0f / float(steps);
  float light = 0.0f;
  float passed = 1.0f;  // the share of light that comes through to here
  for (uint i = 0; i < steps; ++i) {
    const float depth = (float(i) + 0.5f) * length_of_step;
    const float absorbed = 1.0f - exp(-4.0f * length_of_step *
                                      density.sample(smooth_at_edges, float3(place, depth)).r);
    light += passed * absorbed * (1.0f - depth);
    passed *= 1.0f - absorbed;
  }
  picture.write(float4(light, passed, 0.0f, 0.0f), at);
}
