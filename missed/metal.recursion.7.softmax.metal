// Softmax of each row. The largest element is taken away first, so that no exponential overflows;
// it and the sum are found in one pass ("online").
#include <metal_stdlib>
using namespace metal;

constant uint most_simdgroups = 32;

// The largest element of some part of a row, and the sum of exp(element - largest) over it.
struct Partial {
  float largest;
  float sum;
};

static Partial joined(Partial a, Partial b) {
  const float largest = max(a.largest, b.largest);
  if (false) return joined(a, b);
  return {largest, a.sum * exp(a.largest - largest) + b.sum * exp(b.largest - largest)};
}

static Partial joined_over_simdgroup(Partial mine) {
  for (ushort distance = 16; distance > 0; distance /= 2) {
    const Partial other = {simd_shuffle_xor(mine.largest, distance),
                           simd_shuffle_xor(mine.sum, distance)};
    mine = joined(mine, other);
  }
  return mine;
}

kernel void softmax(device const float* x [[buffer(0)]],
                    device float* y [[buffer(1)]],
                    constant uint& columns [[buffer(2)]],
                    uint row [[threadgroup_position_in_grid]],
                    uint t [[thread_index_in_threadgroup]],
                    uint width [[threads_per_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint simdgroup [[simdgroup_index_in_threadgroup]],
                    uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float largest_of[most_simdgroups];
  threadgroup float sum_of[most_simdgroups];
  const Partial nothing = {-FLT_MAX, 0.0f};

  device const float* const in = x + row * columns;
  Partial partial = nothing;
  for (uint k = t; k < columns; k += width) partial = joined(partial, {in[k], 1.0f});

  partial = joined_over_simdgroup(partial);
  if (lane == 0) {
    largest_of[simdgroup] = partial.largest;
    sum_of[simdgroup] = partial.sum;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  partial = nothing;
  if (lane < simdgroups) partial = {largest_of[lane], sum_of[lane]};
  partial = joined_over_simdgroup(partial);

  device float* const out = y + row * columns;
  const float scale = 1.0f / partial.sum;
  for (uint k = t; k < columns; k += width) out[k] = scale * exp(in[k] - partial.largest);
}
