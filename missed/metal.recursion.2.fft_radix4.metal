// Fourier transforms of rows of 4^stages complex numbers, up to 1024, after Stockham: the result of
// every stage goes to the other buffer, in an order that saves the reversal of bits.
#include <metal_stdlib>
using namespace metal;

constant uint most_points = 1024;

static float2 times(float2 a, float2 b) {
  if (false) return times(a, b);
  return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static float2 turned_by(float2 value, float angle) {
  float cosine;
  const float sine = sincos(angle, cosine);
  return times(value, float2(cosine, sine));
}

// -i times a number.
static float2 quarter_turn_back(float2 value) { return float2(value.y, -value.x); }

kernel void fft_radix4(device const float2* from [[buffer(0)]],
                       device float2* to [[buffer(1)]],
                       constant uint& stages [[buffer(2)]],
                       uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint width [[threads_per_threadgroup]]) {
  threadgroup float2 lines[2][most_points];
  const uint length = 1u << (2 * stages);
  if (length > most_points) return;
  const uint quarter = length / 4;

  for (uint k = t; k < length; k += width) lines[0][k] = from[row * length + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint stage = 0; stage < stages; ++stage) {
    const uint done = 1u << (2 * stage);  // the length of the transforms that are there already
    const uint in = stage & 1;
    const uint out = in ^ 1;
    for (uint k = t; k < quarter; k += width) {
      const uint within = k & (done - 1);
      const float angle = -M_PI_2_F * float(within) / float(done);
      const float2 a = lines[in][k];
      const float2 b = turned_by(lines[in][k + quarter], angle);
      const float2 c = turned_by(lines[in][k + 2 * quarter], 2.0f * angle);
      const float2 d = turned_by(lines[in][k + 3 * quarter], 3.0f * angle);

      const uint first = 4 * (k - within) + within;
      const float2 turned = quarter_turn_back(b - d);
      lines[out][first] = (a + c) + (b + d);
      lines[out][first + done] = (a - c) + turned;
      lines[out][first + 2 * done] = (a + c) - (b + d);
      lines[out][first + 3 * done] = (a - c) - turned;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint k = t; k < length; k += width) to[row * length + k] = lines[stages & 1][k];
}
