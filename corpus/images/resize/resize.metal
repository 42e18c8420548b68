// An image of another size, interpolated by a linear sampler.
#include <metal_stdlib>
using namespace metal;

kernel void resize(texture2d<float, access::sample> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]],
                   sampler smooth [[sampler(0)]],
                   uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(to.get_width(), to.get_height());
  if (any(at >= size)) return;
  const float2 place = (float2(at) + 0.5f) / float2(size);
  to.write(from.sample(smooth, place), at);
}
