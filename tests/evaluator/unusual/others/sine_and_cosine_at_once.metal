// task: fft3d
//
// Takes the cosine with the sine.
#include <metal_stdlib>
using namespace metal;

// The longest line there is room for, 8 KiB of it.
constant uint longest = 1024;

// Where value i of a line goes before the butterflies: its bits in reverse.
uint reversed(uint i, uint N) { return reverse_bits(i) >> (clz(N) + 1); }

// Radix-2 butterflies over a line in bit-reversed order, by N threads; thread i is one of them.
void transform(threadgroup float2* line, uint i, uint N) {
  for (uint distance = 1; distance < N; distance *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < N / 2) {
      const uint k = i % distance;
      const uint low = 2 * (i - k) + k;
      const uint high = low + distance;
      float c;
      const float s = -sincos(M_PI_F * float(k) / float(distance), c);
      const float2 a = line[low];
      const float2 b = line[high];
      const float2 turned = float2(c * b.x - s * b.y, c * b.y + s * b.x);
      line[low] = a + turned;
      line[high] = a - turned;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

// Each threadgroup transforms one line; position.x runs along it, position.y is its number.
kernel void fft3d_x(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint i = position.x;
  const uint k = position.y / N;
  const uint j = position.y % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(i, N)] = in_data[at];
  transform(line, i, N);
  out_data[at] = line[i];
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint j = position.x;
  const uint k = position.y / N;
  const uint i = position.y % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(j, N)] = in_data[at];
  transform(line, j, N);
  out_data[at] = line[j];
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]],
                    device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]],
                    uint3 position [[thread_position_in_grid]]) {
  threadgroup float2 line[longest];
  const uint k = position.x;
  const uint j = position.y / N;
  const uint i = position.y % N;
  const uint at = (k * N + j) * N + i;
  line[reversed(k, N)] = in_data[at];
  transform(line, k, N);
  out_data[at] = line[k];
}
