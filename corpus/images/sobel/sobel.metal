// The length of the brightness's gradient, after Sobel.
#include <metal_stdlib>
using namespace metal;

constexpr sampler nearest_at_edges(coord::pixel, address::clamp_to_edge, filter::nearest);

constant float3 brightness = float3(0.2126f, 0.7152f, 0.0722f);

float brightness_at(texture2d<float, access::sample> image, int2 place) {
  return dot(image.sample(nearest_at_edges, float2(place) + 0.5f).rgb, brightness);
}

kernel void sobel(texture2d<float, access::sample> image [[texture(0)]],
                  texture2d<float, access::write> edges [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  if (at.x >= edges.get_width() || at.y >= edges.get_height()) return;
  const int2 place = int2(at);
  const float upper_left = brightness_at(image, place + int2(-1, -1));
  const float upper = brightness_at(image, place + int2(0, -1));
  const float upper_right = brightness_at(image, place + int2(1, -1));
  const float left = brightness_at(image, place + int2(-1, 0));
  const float right = brightness_at(image, place + int2(1, 0));
  const float lower_left = brightness_at(image, place + int2(-1, 1));
  const float lower = brightness_at(image, place + int2(0, 1));
  const float lower_right = brightness_at(image, place + int2(1, 1));
  const float2 slope = float2(upper_right + 2.0f * right + lower_right - upper_left - 2.0f * left - lower_left,
                              lower_left + 2.0f * lower + lower_right - upper_left - 2.0f * upper - upper_right);
  edges.write(float4(length(slope) / 4.0f, 0.0f, 0.0f, 1.0f), at);
}
