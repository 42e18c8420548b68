// The mean of a square of texels; at the edges, of those that there are.
#include <metal_stdlib>
using namespace metal;

kernel void box_blur(texture2d<float, access::read> from [[texture(0)]],
                     texture2d<float, access::write> to [[texture(1)]],
                     constant int& radius [[buffer(0)]],
                     uint2 at [[thread_position_in_grid]]) {
  const int2 size = int2(to.get_width(), to.get_height());
  const int2 place = int2(at);
  if (any(place >= size)) return;
  const int2 first = max(place - radius, int2(0));
  const int2 last = min(place + radius, size - 1);
  float4 sum = 0.0f;
  for (int y = first.y; y <= last.y; ++y)
    for (int x = first.x; x <= last.x; ++x) sum += from.read(uint2(x, y));
  const int2 sides = last - first + 1;
  to.write(sum / float(sides.x * sides.y), at);
}
