// Radiances of any size become colours for a screen: exposure, a curve that ends at one, and the
// encoding of the texture's format.
#include <metal_stdlib>
using namespace metal;

kernel void tone_map(texture2d<half, access::read> scene [[texture(0)]],
                     texture2d<half, access::write> screen [[texture(1)]],
                     constant float& exposure [[buffer(0)]],
                     uint2 at [[thread_position_in_grid]]) {
  if (at.x >= screen.get_width() || at.y >= screen.get_height()) return;
  const half4 radiance = scene.read(at);
  const float3 exposed = exposure * float3(radiance.rgb);
  const float3 colour = exposed * (1.0f + exposed / 16.0f) / (1.0f + exposed);
  screen.write(half4(half3(saturate(colour)), radiance.a), at);
}
