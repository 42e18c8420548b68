// Colours become linear when they are read, and encoded when they are written: unchanged, and as
// linear numbers.
#include <metal_stdlib>
using namespace metal;

kernel void srgb_round_trip(texture2d<float, access::read> from [[texture(0)]],
                            texture2d<float, access::write> again [[texture(1)]],
                            texture2d<float, access::write> linear [[texture(2)]],
                            uint2 at [[thread_position_in_grid]]) {
  if (at.x >= again.get_width() || at.y >= again.get_height()) return;
  const float4 colour = from.read(at);
  again.write(colour, at);
  linear.write(colour, at);
}
