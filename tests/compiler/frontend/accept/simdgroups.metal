// Functions among the lanes of simdgroups and quadgroups.
#include <metal_stdlib>
#include <metal_simdgroup>
using namespace metal;

kernel void lanes(device float* out [[buffer(0)]], uint lane [[thread_index_in_simdgroup]],
                  ushort group [[simdgroup_index_in_threadgroup]],
                  uint width [[threads_per_simdgroup]], uint groups [[simdgroups_per_threadgroup]]) {
  float x = out[lane];
  x += simd_shuffle(x, ushort(lane ^ 1)) + simd_shuffle_xor(x, 2) + simd_shuffle_down(x, 1) +
       simd_shuffle_up(x, 1u) + simd_shuffle_rotate_up(x, 1) + simd_shuffle_rotate_down(x, 1) +
       simd_shuffle_and_fill_up(x, 0.0f, 1) + simd_shuffle_and_fill_down(x, 0.0f, 1, 16);
  x += simd_broadcast(x, 0) + simd_broadcast_first(x);
  x += simd_sum(x) + simd_product(x) + simd_max(x) + simd_min(x) + simd_prefix_inclusive_sum(x) +
       simd_prefix_exclusive_sum(x) + simd_prefix_inclusive_product(x) +
       simd_prefix_exclusive_product(x);
  const float4 v = simd_sum(float4(x)) + simd_shuffle(float4(x), lane) + float4(simd_max(half4(x)));
  const uint3 w = simd_or(uint3(lane)) + simd_and(uint3(1)) + simd_xor(uint3(2));
  const char c = simd_min(char(lane));
  const short s = simd_broadcast(short(lane), 3);
  const uchar2 u = simd_shuffle_xor(uchar2(lane), 1);
  const bool some = simd_any(x > 0), every = simd_all(x > 0), first = simd_is_first();
  const simd_vote vote = simd_ballot(x > 1);
  const uint64_t mask = uint64_t(simd_vote::vote_t(vote)) | (simd_vote::vote_t)simd_active_threads_mask();
  if (vote.any() && !vote.all() && simd_ballot(some).all()) x += popcount(mask);
  x += quad_sum(x) + quad_shuffle(x, 1) + quad_broadcast(x, 2) + quad_max(x) + quad_shuffle_xor(x, 1) +
       quad_broadcast_first(x) + quad_product(half(x)) + quad_or(lane) + quad_prefix_inclusive_sum(x);
  if (quad_all(some) || quad_any(every) || quad_is_first() || quad_ballot(first).any()) x += 1;
  out[lane] = x + v.x + w.y + c + s + u.x + bfloat(simd_sum(bfloat(x))) + width + group * groups;
}
