// task: fft3d
//
// Sorts the line while it transforms it (Stockham), between two halves of one array.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 1024;

// Leaves the transform of a line of N values, thread i's of which is `value`, and returns that of thread i.
float2 transform(threadgroup float2* lines, float2 value, uint i, uint N) {
  threadgroup float2* from = lines;
  threadgroup float2* to = lines + N;
  from[i] = value;
  for (uint block = 1; block < N; block *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i < N / 2) {
      const uint k = i & (block - 1);
      const float angle = -M_PI_F * float(k) / float(block);
      float c;
      const float s = sincos(angle, c);
      const float2 a = from[i], b = from[i + N / 2];
      const float2 turned(c * b.x - s * b.y, c * b.y + s * b.x);
      const uint place = 2 * (i - k) + k;
      to[place] = a + turned;
      to[place + block] = a - turned;
    }
    threadgroup float2* other = from;
    from = to;
    to = other;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return from[i];
}

kernel void fft3d_x(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint2 position [[thread_position_in_grid]]) {
  threadgroup float2 lines[2 * longest];
  const uint at = position.y * N + position.x;
  out_data[at] = transform(lines, in_data[at], position.x, N);
}

kernel void fft3d_y(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint2 position [[thread_position_in_grid]]) {
  threadgroup float2 lines[2 * longest];
  const uint at = (position.y / N * N + position.x) * N + position.y % N;
  out_data[at] = transform(lines, in_data[at], position.x, N);
}

kernel void fft3d_z(device const float2* in_data [[buffer(0)]], device float2* out_data [[buffer(1)]],
                    constant uint& N [[buffer(2)]], uint2 position [[thread_position_in_grid]]) {
  threadgroup float2 lines[2 * longest];
  const uint at = position.x * N * N + position.y;
  out_data[at] = transform(lines, in_data[at], position.x, N);
}
