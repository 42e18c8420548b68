// task: fft3d
//
// A threadgroup keeps the turns of all butterflies in a table.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 1024;


void transform(threadgroup float2* line, threadgroup const float2* turns, uint i, uint N) {
  for (uint distance = 1; distance < N; distance *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i >= N / 2) continue;
    const uint k = i & (distance - 1), low = 2 * i - k, high = low + distance;
    const float2 turn = turns[k * (N / 2 / distance)], a = line[low], b = line[high];
    const float2 turned = float2(turn.x * b.x - turn.y * b.y, turn.x * b.y + turn.y * b.x);
    line[low] = a + turned;
    line[high] = a - turned;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

kernel void fft3d_x(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + j) * N + i;
  threadgroup float2 turns[longest / 2];
  if (i < N / 2) {
    const float angle = -2.0f * M_PI_F * float(i) / float(N);
    turns[i] = float2(cos(angle), sin(angle));
  }
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  transform(line, turns, i, N);
  out_data[at] = line[i];
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + i) * N + j;
  threadgroup float2 turns[longest / 2];
  if (i < N / 2) {
    const float angle = -2.0f * M_PI_F * float(i) / float(N);
    turns[i] = float2(cos(angle), sin(angle));
  }
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  transform(line, turns, i, N);
  out_data[at] = line[i];
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (i * N + k) * N + j;
  threadgroup float2 turns[longest / 2];
  if (i < N / 2) {
    const float angle = -2.0f * M_PI_F * float(i) / float(N);
    turns[i] = float2(cos(angle), sin(angle));
  }
  line[reverse_bits(i) >> (clz(N) + 1)] = in_data[at];
  transform(line, turns, i, N);
  out_data[at] = line[i];
}
