#include <metal_stdlib>
using namespace metal;

kernel void mirror(texture2d<float, access::read> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]],
                   uint2 at [[thread_position_in_grid]]) {
  const uint width = from.get_width();
  if (at.x >= width || at.y >= from.get_height()) return;
  to.write(from.read(uint2(width - 1 - at.x, at.y)), at);
}
