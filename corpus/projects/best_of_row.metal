// In the manner of inference libraries that include the parts of the library that they need.
#include <metal_compute>
#include <metal_integer>
#include <metal_math>

// Keys of floats that sort as integers do.
static inline uint2 keys_of(float2 scores) {
  const uint2 bits = as_type<uint2>(scores);
  return metal::select(~bits, bits | 0x80000000u, bits < 0x80000000u);
}

kernel void best_of_row(device const float2* scores [[buffer(0)]], device uint2* best [[buffer(1)]],
                        constant uint& pairs [[buffer(2)]], uint row [[threadgroup_position_in_grid]],
                        uint lane [[thread_index_in_simdgroup]], uint width [[threads_per_simdgroup]]) {
  uint2 most = uint2(0u, ~0u);
  for (uint i = lane; i < pairs; i += width) {
    const uint2 keys = keys_of(scores[row * pairs + i]);
    const uint key = metal::max(keys.x, keys.y);
    const uint place = 2 * i + (keys.y > keys.x ? 1 : 0);
    if (key > most.x) most = uint2(key, place);
  }
  const uint highest = metal::simd_max(most.x);
  const uint first = metal::simd_min(most.x == highest ? most.y : ~0u);
  if (lane == 0) best[row] = uint2(highest, first);
}
