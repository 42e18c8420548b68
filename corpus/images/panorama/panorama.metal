// A panorama of what a cube map shows all around: longitude across, latitude down. A linear sampler
// hides the edges of the faces, and the level is what a texel of the panorama covers.
#include <metal_stdlib>
using namespace metal;

constexpr sampler smooth(filter::linear, mip_filter::nearest);

kernel void panorama(texturecube<float, access::sample> cube [[texture(0)]],
                     texture2d<float, access::write> to [[texture(1)]],
                     constant float& lod [[buffer(0)]],
                     uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(to.get_width(), to.get_height());
  if (any(at >= size)) return;
  const float2 place = (float2(at) + 0.5f) / float2(size);
  const float longitude = (place.x * 2.0f - 1.0f) * M_PI_F;
  const float latitude = (0.5f - place.y) * M_PI_F;
  const float3 direction = float3(cos(latitude) * sin(longitude), sin(latitude),
                                  cos(latitude) * cos(longitude));
  to.write(cube.sample(smooth, direction, level(lod)), at);
}
