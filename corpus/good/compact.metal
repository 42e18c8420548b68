// Keeps the elements that are not below a limit, in any order: a simdgroup asks for room once for
// all of its lanes. The host sets the number of those that are kept to zero first.
#include <metal_stdlib>
using namespace metal;

kernel void compact(device const float* x [[buffer(0)]],
                    device float* kept [[buffer(1)]],
                    device atomic_uint& kept_count [[buffer(2)]],
                    constant uint& count [[buffer(3)]],
                    constant float& limit [[buffer(4)]],
                    uint i [[thread_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  const float value = i < count ? x[i] : 0.0f;
  const bool keeps = i < count && value >= limit;
  const uint before = simd_prefix_exclusive_sum(keeps ? 1u : 0u);
  const uint together = simd_sum(keeps ? 1u : 0u);
  uint first = 0;
  if (lane == 0 && together > 0)
    first = atomic_fetch_add_explicit(&kept_count, together, memory_order_relaxed);
  first = simd_broadcast_first(first);
  if (keeps) kept[first + before] = value;
}
