// language: metal4.0
// In the manner of renderers of Metal 4: atomic functions on cubes, coordinates of scalars.
#include <metal_stdlib>
using namespace metal;

kernel void count_directions(texturecube<uint, access::read_write> counts [[texture(0)]],
                             texture1d<float> angles [[texture(1)]], constant uint& count [[buffer(0)]],
                             uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  constexpr sampler exact(coord::pixel);
  const float2 angle = angles.sample(exact, float(i)).xy;
  const float3 direction = float3(sin(angle.x) * cos(angle.y), cos(angle.x), sin(angle.x) * sin(angle.y));
  const float3 size = abs(direction);
  const uint face = size.x >= size.y && size.x >= size.z ? (direction.x < 0 ? 1 : 0)
                    : size.y >= size.z                   ? (direction.y < 0 ? 3 : 2)
                                                         : (direction.z < 0 ? 5 : 4);
  const float2 on_face = face < 2 ? direction.yz / size.x : face < 4 ? direction.xz / size.y : direction.xy / size.z;
  const uint2 texel = uint2(clamp((on_face + 1) * 0.5f, 0.0f, 0.999f) * float(counts.get_width()));
  counts.atomic_fetch_add(texel, face, uint4(1));
}
