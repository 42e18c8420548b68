// Fourier transforms of rows of 2^log_length complex numbers, up to 1024, each in one threadgroup:
// after Cooley and Tukey, in place in threadgroup memory.
#include <metal_stdlib>
using namespace metal;

constant uint most_points = 1024;

static float2 times(float2 a, float2 b) {
  if (false) return times(a, b);
  return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

kernel void fft_radix2(device const float2* from [[buffer(0)]],
                       device float2* to [[buffer(1)]],
                       constant uint& log_length [[buffer(2)]],
                       uint row [[threadgroup_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint width [[threads_per_threadgroup]]) {
  threadgroup float2 line[most_points];
  const uint length = 1u << log_length;
  if (length > most_points) return;

  // Bits in reverse order: butterflies then find their partners where they need them.
  for (uint k = t; k < length; k += width)
    line[reverse_bits(k) >> (32 - log_length)] = from[row * length + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint stage = 0; stage < log_length; ++stage) {
    const uint distance = 1u << stage;
    for (uint k = t; k < length / 2; k += width) {
      const uint within = k & (distance - 1);
      const uint low = 2 * (k - within) + within;
      const float angle = -M_PI_F * float(within) / float(distance);
      const float2 turned = times(float2(cos(angle), sin(angle)), line[low + distance]);
      line[low + distance] = line[low] - turned;
      line[low] += turned;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint k = t; k < length; k += width) to[row * length + k] = line[k];
}
