// Attention without the matrix of scores: a simdgroup holds one query, meets keys and values piece
// by piece, and corrects its sums whenever a larger score appears. The pieces are shared by all
// simdgroups of the threadgroup.
#include <metal_stdlib>
using namespace metal;

constant uint lanes = 32;
constant uint depth = 64;  // of queries, keys and values
constant uint each = depth / lanes;
constant uint piece_length = 32;

struct Attention {
  uint queries;
  uint keys;
  float scale;  // of the scores, 1 / √depth
};

kernel void attention(device const half* queries [[buffer(0)]],
                      device const half* keys [[buffer(1)]],
                      device const half* values [[buffer(2)]],
                      device half* results [[buffer(3)]],
                      constant Attention& shape [[buffer(4)]],
                      uint group [[threadgroup_position_in_grid]],
                      uint t [[thread_index_in_threadgroup]],
                      uint width [[threads_per_threadgroup]],
                      uint lane [[thread_index_in_simdgroup]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]],
                      uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup half key_piece[piece_length][depth];
  threadgroup half value_piece[piece_length][depth];

  const uint row = group * simdgroups + simdgroup;
  const bool has_query = row < shape.queries;
  float query[each];
  float sums[each];
  for (uint e = 0; e < each; ++e) {
    query[e] = has_query ? shape.scale * float(queries[row * depth + e * lanes + lane]) : 0.0f;
    sums[e] = 0.0f;
  }

  float largest = -FLT_MAX;
  float total = 0.0f;
  for (uint base = 0; base < shape.keys; base += piece_length) {
    const uint length = min(piece_length, shape.keys - base);
    for (uint k = t; k < length * depth; k += width) {
      key_piece[k / depth][k % depth] = keys[base * depth + k];
      value_piece[k / depth][k % depth] = values[base * depth + k];
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    for (uint k = 0; k < length; ++k) {
      float score = 0.0f;
      for (uint e = 0; e < each; ++e)
        score = fma(query[e], float(key_piece[k][e * lanes + lane]), score);
      score = simd_sum(score);
      const float larger = max(largest, score);
      const float kept = exp(largest - larger);
      const float weight = exp(score - larger);
      for (uint e = 0; e < each; ++e)
        sums[e] = fma(sums[e], kept, weight * float(value_piece[k][e * lanes + lane]));
      total = fma(total, kept, weight);
      largest = larger;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  if (!has_query) return;
  for (uint e = 0; e < each; ++e)
    results[row * depth + e * lanes + lane] = half(sums[e] / total);
}
