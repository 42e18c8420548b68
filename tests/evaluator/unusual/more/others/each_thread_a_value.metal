// task: fft3d
//
// Every thread computes its own value of a butterfly, between barriers.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 1024;


float2 times(float2 a, float2 b) { return float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

float2 transform(threadgroup float2* line, float2 mine, uint i, uint N) {
  for (uint distance = 1; distance < N; distance <<= 1) {
    const uint k = i & (distance - 1);
    const bool is_high = (i & distance) != 0;
    const float angle = -M_PI_F * float(k) / float(distance);
    if (is_high) mine = times(mine, float2(cos(angle), sin(angle)));
    threadgroup_barrier(mem_flags::mem_threadgroup);
    line[i] = mine;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const float2 other = line[i ^ distance];
    mine = is_high ? other - mine : mine + other;
  }
  return mine;
}

kernel void fft3d_x(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + j) * N + i;
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out_data[at] = transform(line, line[i], i, N);
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + i) * N + j;
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out_data[at] = transform(line, line[i], i, N);
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (i * N + k) * N + j;
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out_data[at] = transform(line, line[i], i, N);
}
