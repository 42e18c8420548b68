// Particles whose arrays the host hands over in one argument buffer, drifting in a field of wind
// that is known on a grid.
#include <metal_stdlib>
using namespace metal;

struct Scene {
  device float2* positions [[id(0)]];
  device const float2* wind [[id(1)]];  // rows of columns
  uint2 cells [[id(2)]];
  float spacing [[id(3)]];
  uint particles [[id(4)]];
};

static float2 wind_at(float2 position, constant Scene& scene) {
  const float2 place = clamp(position / scene.spacing, float2(0.0f), float2(scene.cells - 1));
  const uint2 low = uint2(place);
  const uint2 high = min(low + 1, scene.cells - 1);
  const float2 part = place - float2(low);
  const float2 top = mix(scene.wind[low.y * scene.cells.x + low.x],
                         scene.wind[low.y * scene.cells.x + high.x], part.x);
  const float2 bottom = mix(scene.wind[high.y * scene.cells.x + low.x],
                            scene.wind[high.y * scene.cells.x + high.x], part.x);
  return mix(top, bottom, part.y);
}

kernel void drift(constant Scene& scene [[buffer(0)]],
                  constant float& step [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= scene.particles) return;
  // The wind half a step ahead is second order in the step.
  const float2 from = scene.positions[i];
  const float2 middle = from + 0.5f * step * wind_at(from, scene);
  scene.positions[i] = from + step * wind_at(middle, scene);
}
