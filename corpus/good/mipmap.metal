// One level of a mipmap from the level above: the mean of the pixels that each new one covers,
// three instead of two where the level above has an odd side.
#include <metal_stdlib>
using namespace metal;

// How much each of up to three pixels in a direction counts.
static float3 weights_for(uint place, uint size) {
  if (size == 1) return float3(1.0f, 0.0f, 0.0f);
  if (size % 2 == 0) return float3(0.5f, 0.5f, 0.0f);
  // An odd side: new pixels are a little wider than two old ones, and neighbours share one.
  const float smaller = float(size / 2);
  const float before = float(place);
  return float3(smaller - before, smaller, before + 1.0f) / float(size);
}

kernel void halve(texture2d<float, access::read> above [[texture(0)]],
                  texture2d<float, access::write> below [[texture(1)]],
                  uint2 at [[thread_position_in_grid]]) {
  if (at.x >= below.get_width() || at.y >= below.get_height()) return;
  const uint2 size = uint2(above.get_width(), above.get_height());
  const float3 across = weights_for(at.x, size.x);
  const float3 down = weights_for(at.y, size.y);

  float4 sum = 0.0f;
  for (uint dy = 0; dy < 3; ++dy)
    for (uint dx = 0; dx < 3; ++dx) {
      const uint2 place = min(2 * at + uint2(dx, dy), size - 1);
      sum += across[dx] * down[dy] * above.read(place);
    }
  below.write(sum, at);
}
