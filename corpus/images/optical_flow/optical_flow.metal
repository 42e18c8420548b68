// One step of Lucas and Kanade: the shift between two frames that explains their difference best
// in a window around each texel.
#include <metal_stdlib>
using namespace metal;

constant int reach = 2;

float value_at(texture2d<float, access::read> frame, int2 place) {
  const int2 last = int2(frame.get_width(), frame.get_height()) - 1;
  return frame.read(uint2(clamp(place, int2(0), last))).r;
}

kernel void optical_flow(texture2d<float, access::read> before [[texture(0)]],
                         texture2d<float, access::read> after [[texture(1)]],
                         texture2d<float, access::write> flow [[texture(2)]],
                         uint2 at [[thread_position_in_grid]]) {
  if (at.x >= flow.get_width() || at.y >= flow.get_height()) return;
  float3 shape = 0.0f;  // sums of xx, xy and yy of the slopes
  float2 pull = 0.0f;
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int2 place = int2(at) + int2(dx, dy);
      const float2 slope =
          0.5f * float2(value_at(before, place + int2(1, 0)) - value_at(before, place - int2(1, 0)),
                        value_at(before, place + int2(0, 1)) - value_at(before, place - int2(0, 1)));
      const float change = value_at(after, place) - value_at(before, place);
      shape += float3(slope.x * slope.x, slope.x * slope.y, slope.y * slope.y);
      pull -= change * slope;
    }
  }
  shape.xz += 0.125f;  // a flat window has no flow
  const float determinant = shape.x * shape.z - shape.y * shape.y;
  const float2 shift = float2(shape.z * pull.x - shape.y * pull.y,
                              shape.x * pull.y - shape.y * pull.x) / determinant;
  flow.write(float4(shift, 0.0f, 0.0f), at);
}
