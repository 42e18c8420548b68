// A blur that keeps edges: a neighbour weighs the less, the more its value differs.
#include <metal_stdlib>
using namespace metal;

constant int radius = 2;

kernel void bilateral(texture2d<float, access::read> from [[texture(0)]],
                      texture2d<float, access::write> to [[texture(1)]],
                      constant float2& sharpness [[buffer(0)]],  // of distance and of contrast
                      uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  const int2 last = int2(from.get_width(), from.get_height()) - 1;
  const float centre = from.read(at).r;
  float sum = 0.0f;
  float weights = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const int2 place = clamp(int2(at) + int2(dx, dy), int2(0), last);
      const float value = from.read(uint2(place)).r;
      const float contrast = value - centre;
      const float weight = exp(-sharpness.x * float(dx * dx + dy * dy) -
                               sharpness.y * contrast * contrast);
      sum += weight * value;
      weights += weight;
    }
  }
  to.write(float4(sum / weights), at);
}
