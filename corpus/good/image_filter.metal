// Two filters on textures: a bilateral blur, which keeps edges, and a resampling with a linear
// sampler.
#include <metal_stdlib>
using namespace metal;

struct Blur {
  int radius;
  float inverse_reach;     // 1 / (2 sigma²), in pixels
  float inverse_contrast;  // 1 / (2 sigma²), in brightness
};

constant float3 brightness = float3(0.2126f, 0.7152f, 0.0722f);

kernel void bilateral_blur(texture2d<float, access::read> from [[texture(0)]],
                           texture2d<float, access::write> to [[texture(1)]],
                           constant Blur& blur [[buffer(0)]],
                           uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  const int2 last = int2(from.get_width(), from.get_height()) - 1;
  const float4 centre = from.read(at);

  float4 sum = 0.0f;
  float weights = 0.0f;
  for (int dy = -blur.radius; dy <= blur.radius; ++dy) {
    for (int dx = -blur.radius; dx <= blur.radius; ++dx) {
      const int2 place = clamp(int2(at) + int2(dx, dy), int2(0), last);
      const float4 pixel = from.read(uint2(place));
      const float contrast = dot(pixel.rgb - centre.rgb, brightness);
      const float weight = exp(-float(dx * dx + dy * dy) * blur.inverse_reach -
                               contrast * contrast * blur.inverse_contrast);
      sum += weight * pixel;
      weights += weight;
    }
  }
  // The centre itself weighs one, so there is never nothing.
  to.write(sum / weights, at);
}

kernel void resample(texture2d<float, access::sample> from [[texture(0)]],
                     texture2d<float, access::write> to [[texture(1)]],
                     uint2 at [[thread_position_in_grid]]) {
  constexpr sampler linear_at_edges(coord::normalized, address::clamp_to_edge, filter::linear);
  const uint2 size = uint2(to.get_width(), to.get_height());
  if (any(at >= size)) return;
  const float2 place = (float2(at) + 0.5f) / float2(size);
  to.write(from.sample(linear_at_edges, place), at);
}
