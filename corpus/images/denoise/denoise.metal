// A picture without noise, in two passes. The median of three by three texels removes single wrong
// ones. Non-local means then averages texels whose surroundings look alike.
#include <metal_stdlib>
using namespace metal;

constexpr sampler black_around(coord::pixel, address::clamp_to_zero, filter::nearest);
constexpr sampler at_edges(coord::pixel, address::clamp_to_edge, filter::nearest);

void order(thread float& low, thread float& high) {
  const float least = min(low, high);
  high = max(low, high);
  low = least;
}

kernel void median(texture2d<float, access::sample> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]],
                   uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  const float2 middle = float2(at) + 0.5f;
  float v[9];
  for (uint i = 0; i < 9; ++i)
    v[i] = from.sample(black_around, middle + float2(int(i % 3) - 1, int(i / 3) - 1)).r;
  // The columns in order; then the greatest of the lows, the median of the middles and the least of
  // the highs hold the median between them.
  for (uint c = 0; c < 9; c += 3) {
    order(v[c], v[c + 1]);
    order(v[c + 1], v[c + 2]);
    order(v[c], v[c + 1]);
  }
  float low = max(max(v[0], v[3]), v[6]);
  float high = min(min(v[2], v[5]), v[8]);
  float between = max(min(v[1], v[4]), min(max(v[1], v[4]), v[7]));
  order(low, high);
  between = max(low, min(between, high));
  to.write(float4(between), at);
}

constant int reach = 2;  // of the search around a texel

// How different the surroundings of two texels are: the mean of nine squares.
float distance_of(texture2d<float, access::sample> image, float2 one, float2 other) {
  float sum = 0.0f;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      const float2 step = float2(x, y);
      const float difference =
          image.sample(at_edges, one + step).r - image.sample(at_edges, other + step).r;
      sum += difference * difference;
    }
  return sum / 9.0f;
}

kernel void non_local_means(texture2d<float, access::sample> from [[texture(0)]],
                            texture2d<float, access::write> to [[texture(1)]],
                            constant float& strength [[buffer(0)]],
                            uint2 at [[thread_position_in_grid]]) {
  if (at.x >= to.get_width() || at.y >= to.get_height()) return;
  const float2 middle = float2(at) + 0.5f;
  float sum = 0.0f, weights = 0.0f;
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) {
      const float2 place = middle + float2(x, y);
      const float weight = exp(-distance_of(from, middle, place) / (strength * strength));
      sum += weight * from.sample(at_edges, place).r;
      weights += weight;
    }
  to.write(float4(sum / weights), at);
}
