// Layer normalisation of each row: its mean and variance in one pass after Welford and Chan, which
// does not cancel where the mean is large.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 256;

struct Moments {
  float count;
  float mean;
  float squares;  // the sum of squared distances from the mean
};

static Moments joined(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0.0f) return a;
  const float distance = b.mean - a.mean;
  const float share = b.count / count;
  return {count, a.mean + distance * share,
          a.squares + b.squares + distance * distance * a.count * share};
}

[[max_total_threads_per_threadgroup(256)]]
kernel void layer_norm(device const float* x [[buffer(0)]],
                       device float* y [[buffer(1)]],
                       device const float* gain [[buffer(2)]],
                       device const float* bias [[buffer(3)]],
                       constant uint& columns [[buffer(4)]],
                       constant float& epsilon [[buffer(5)]],
                       uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint width [[threads_per_threadgroup]]) {
  threadgroup Moments part[most_threads];

  device const float* const in = x + row * columns;
  Moments mine = {0.0f, 0.0f, 0.0f};
  for (uint k = t; k < columns; k += width) mine = joined(mine, {1.0f, in[k], 0.0f});
  part[t] = mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint left = width; left > 1;) {
    const uint kept = (left + 1) / 2;
    if (t + kept < left) part[t] = joined(part[t], part[t + kept]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    left = kept;
  }

  const Moments all = part[0];
  const float scale = rsqrt(all.squares / all.count + epsilon);
  device float* const out = y + row * columns;
  for (uint k = t; k < columns; k += width)
    out[k] = fma((in[k] - all.mean) * scale, gain[k], bias[k]);
}
