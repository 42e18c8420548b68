// task: fft3d
//
// Butterflies from far to near (decimation in frequency); the end sorts.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 1024;


void transform(threadgroup float2* line, uint i, uint N) {
  for (uint distance = N / 2; distance > 0; distance /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < N / 2) {
      const uint k = i % distance, low = 2 * (i - k) + k, high = low + distance;
      const float part = float(k) / float(distance);
      const float c = cospi(part), s = -sinpi(part);
      const float2 a = line[low], b = line[high], d = a - b;
      line[low] = a + b;
      line[high] = float2(c * d.x - s * d.y, c * d.y + s * d.x);
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

kernel void fft3d_x(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + j) * N + i;
  line[i] = in_data[at];
  transform(line, i, N);
  out_data[at] = line[reverse_bits(i) >> (clz(N) + 1)];
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (k * N + i) * N + j;
  line[i] = in_data[at];
  transform(line, i, N);
  out_data[at] = line[reverse_bits(i) >> (clz(N) + 1)];
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x, k = position.y / N, j = position.y % N;
  const uint at = (i * N + k) * N + j;
  line[i] = in_data[at];
  transform(line, i, N);
  out_data[at] = line[reverse_bits(i) >> (clz(N) + 1)];
}
