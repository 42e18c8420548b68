// How often each brightness occurs: atomic counters in a texture.
#include <metal_stdlib>
using namespace metal;

kernel void histogram(texture2d<float, access::read> image [[texture(0)]],
                      texture1d<uint, access::read_write> counts [[texture(1)]],
                      uint2 at [[thread_position_in_grid]]) {
  if (at.x >= image.get_width() || at.y >= image.get_height()) return;
  const uint bins = counts.get_width();
  const uint bin = min(uint(image.read(at).r * float(bins)), bins - 1);
  counts.atomic_fetch_add(bin, uint4(1));
}
