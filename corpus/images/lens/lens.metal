// The distortion of a lens: a texel comes from a place that is the farther out, the farther it is
// from the middle. The samplers decide what lies outside.
#include <metal_stdlib>
using namespace metal;

float2 distorted(float2 place, float strength) {
  const float2 offset = place - 0.5f;
  return 0.5f + offset * (1.0f + strength * dot(offset, offset));
}

kernel void lens(texture2d<float, access::sample> scene [[texture(0)]],
                 texture2d<float, access::write> edged [[texture(1)]],
                 texture2d<float, access::write> mirrored [[texture(2)]],
                 texture2d<float, access::write> bordered [[texture(3)]],
                 sampler at_edges [[sampler(0)]],
                 sampler in_mirrors [[sampler(1)]],
                 sampler in_a_border [[sampler(2)]],
                 constant float& strength [[buffer(0)]],
                 uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(edged.get_width(), edged.get_height());
  if (any(at >= size)) return;
  const float2 place = distorted((float2(at) + 0.5f) / float2(size), strength);
  edged.write(scene.sample(at_edges, place), at);
  mirrored.write(scene.sample(in_mirrors, place), at);
  bordered.write(scene.sample(in_a_border, place), at);
}
