// A Gaussian blur in two passes, along rows and along columns, with halves between them.
#include <metal_stdlib>
using namespace metal;

constexpr sampler nearest_at_edges(coord::pixel, address::clamp_to_edge, filter::nearest);

// Weights of the distances 0, 1, 2 and 3.
constant float weights[] = {0.3125f, 0.234375f, 0.09375f, 0.015625f};

float4 blurred_along(texture2d<float, access::sample> from, float2 place, float2 step) {
  float4 sum = weights[0] * from.sample(nearest_at_edges, place);
  for (uint i = 1; i < 4; ++i)
    sum += weights[i] * (from.sample(nearest_at_edges, place + float(i) * step) +
                         from.sample(nearest_at_edges, place - float(i) * step));
  return sum;
}

kernel void blur_rows(texture2d<float, access::sample> from [[texture(0)]],
                      texture2d<float, access::write> to [[texture(1)]],
                      uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  to.write(blurred_along(from, float2(at) + 0.5f, float2(1.0f, 0.0f)), at);
}

kernel void blur_columns(texture2d<float, access::sample> from [[texture(0)]],
                         texture2d<float, access::write> to [[texture(1)]],
                         uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  to.write(blurred_along(from, float2(at) + 0.5f, float2(0.0f, 1.0f)), at);
}
