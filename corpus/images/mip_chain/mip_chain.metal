// Each level of a texture from the one above it: the mean of four texels. The last row and column
// of a level with an odd side are left out, as a box filter of two by two does.
#include <metal_stdlib>
using namespace metal;

kernel void next_level(texture2d<float, access::sample> from [[texture(0)]],
                       texture2d<float, access::write> to [[texture(1)]],
                       constant uint& level [[buffer(0)]],  // that is written
                       uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(to.get_width(level), to.get_height(level));
  if (any(at >= size)) return;
  const uint2 last = uint2(from.get_width(level - 1), from.get_height(level - 1)) - 1;
  const uint2 first = min(2 * at, last);
  const uint2 second = min(2 * at + 1, last);
  const float4 sum = from.read(first, level - 1) + from.read(uint2(second.x, first.y), level - 1) +
                     from.read(uint2(first.x, second.y), level - 1) + from.read(second, level - 1);
  to.write(sum / 4.0f, at, level);
}
