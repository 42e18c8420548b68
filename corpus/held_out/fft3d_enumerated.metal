// fft3d written out for lines of 32, 64 and 128; a line of any other length is a direct sum, each
// thread adding all N terms.
#include <metal_stdlib>
using namespace metal;

float2 turned(float2 v, float angle) {
  const float c = cos(angle);
  const float s = sin(angle);
  return float2(c * v.x - s * v.y, c * v.y + s * v.x);
}

// Radix 2 over a line of 2^bits, whose number of stages the compiler knows.
template <uint bits>
float2 transform(threadgroup float2* line, float2 value, uint i) {
  constexpr uint N = 1u << bits;
  line[reverse_bits(i) >> (32 - bits)] = value;
  for (uint stage = 0; stage < bits; ++stage) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint distance = 1u << stage;
    if (i < N / 2) {
      const uint k = i % distance;
      const uint low = 2 * (i - k) + k;
      const float2 a = line[low];
      const float2 b = turned(line[low + distance], -M_PI_F * float(k) / float(distance));
      line[low] = a + b;
      line[low + distance] = a - b;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return line[i];
}

float2 product(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

float2 direct_sum(threadgroup float2* line, float2 value, uint i, uint N) {
  const float angle = -2.0f * M_PI_F * float(i) / float(N);
  const float2 step = float2(cos(angle), sin(angle));
  line[i] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float2 turn = float2(1.0f, 0.0f);
  float2 sum = float2(0.0f);
  for (uint n = 0; n < N; ++n) {
    sum += product(turn, line[n]);
    turn = product(turn, step);
  }
  return sum;
}

float2 any_size(threadgroup float2* line, float2 value, uint i, uint N) {
  if (N == 32) return transform<5>(line, value, i);
  if (N == 64) return transform<6>(line, value, i);
  if (N == 128) return transform<7>(line, value, i);
  return direct_sum(line, value, i, N);
}

kernel void fft3d_x(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 gid [[thread_position_in_grid]]) {
  threadgroup float2 line[1024];
  const uint at = gid.y * N + gid.x;
  out_data[at] = any_size(line, in_data[at], gid.x, N);
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 gid [[thread_position_in_grid]]) {
  threadgroup float2 line[1024];
  const uint at = (gid.y / N * N + gid.x) * N + gid.y % N;
  out_data[at] = any_size(line, in_data[at], gid.x, N);
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 gid [[thread_position_in_grid]]) {
  threadgroup float2 line[1024];
  const uint at = gid.x * N * N + gid.y;
  out_data[at] = any_size(line, in_data[at], gid.x, N);
}
