// How far each texel is from the nearest bright one, by jump flooding: in each launch a texel asks
// eight others, half as far away as in the launch before, for the nearest bright texel they know.
#include <metal_stdlib>
using namespace metal;

constant int none = -1;

kernel void find_seeds(texture2d<float, access::read> image [[texture(0)]],
                       texture2d<int, access::write> nearest [[texture(1)]],
                       constant float& threshold [[buffer(0)]],
                       uint2 at [[thread_position_in_grid]]) {
  if (at.x >= image.get_width() || at.y >= image.get_height()) return;
  const bool is_seed = image.read(at).r >= threshold;
  nearest.write(int4(is_seed ? int2(at) : int2(none), 0, 0), at);
}

int square_of_distance(int2 from, int2 to) {
  const int2 step = to - from;
  return step.x * step.x + step.y * step.y;
}

kernel void jump(texture2d<int, access::read> known [[texture(0)]],
                 texture2d<int, access::write> nearest [[texture(1)]],
                 constant int& distance [[buffer(0)]],
                 uint2 at [[thread_position_in_grid]]) {
  const int2 size = int2(known.get_width(), known.get_height());
  const int2 here = int2(at);
  if (any(here >= size)) return;
  int2 best = int2(none);
  int least = INT_MAX;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      const int2 asked = here + distance * int2(x, y);
      if (any(asked < 0) || any(asked >= size)) continue;
      const int2 seed = known.read(uint2(asked)).xy;
      if (seed.x == none) continue;
      const int square = square_of_distance(here, seed);
      if (square < least) {
        least = square;
        best = seed;
      }
    }
  nearest.write(int4(best, 0, 0), at);
}

// Where the picture has no bright texel, the distance is infinite; -1 stands for it.
kernel void measure(texture2d<int, access::read> nearest [[texture(0)]],
                    texture2d<float, access::write> distances [[texture(1)]],
                    uint2 at [[thread_position_in_grid]]) {
  if (at.x >= distances.get_width() || at.y >= distances.get_height()) return;
  const int2 seed = nearest.read(at).xy;
  const float far = seed.x == none ? -1.0f : sqrt(float(square_of_distance(int2(at), seed)));
  distances.write(float4(far), at);
}
