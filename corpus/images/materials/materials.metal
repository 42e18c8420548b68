// A frame shaded through a table of materials: each texel of the frame selects one, which has a
// texture, a sampler and a factor of its own.
#include <metal_stdlib>
using namespace metal;

struct Material {
  texture2d<float> surface [[id(0)]];
  sampler smooth [[id(1)]];
  float factor [[id(2)]];
};

struct Frame {
  texture2d<uint, access::read> ids;
  texture2d<float, access::write> shaded;
};

struct Scene {
  device const Material* materials;
  uint count;
  Frame frame;
};

constant float texels_per_surface = 8;

kernel void shade(constant Scene& scene [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  if (at.x >= scene.frame.shaded.get_width() || at.y >= scene.frame.shaded.get_height()) return;
  const uint id = min(scene.frame.ids.read(at).x, scene.count - 1);
  const Material material = scene.materials[id];
  const float2 place = (float2(at) + 0.5f) / texels_per_surface;
  scene.frame.shaded.write(material.factor * material.surface.sample(material.smooth, place), at);
}
