// task: adi3d
//
// Eliminates from both ends of a line and meets in the middle.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 256;

// After the elimination, place i is `d - c u[i + 1]` in the first half and `d - c u[i - 1]` in the second.
void solve(device const float* u_in, device float* u_out, uint stride, uint length, float mu) {
  float c[longest];
  const float b = 1.0f + 2.0f * mu;
  const uint last = length - 1, middle = last / 2;
  u_out[0] = u_in[0];
  u_out[last * stride] = u_in[last * stride];
  c[0] = c[last] = 0.0f;
  for (uint i = 1; i <= middle; ++i) {
    const float pivot = b + mu * c[i - 1];
    c[i] = -mu / pivot;
    u_out[i * stride] = (u_in[i * stride] + mu * u_out[(i - 1) * stride]) / pivot;
  }
  for (uint i = last - 1; i > middle; --i) {
    const float pivot = b + mu * c[i + 1];
    c[i] = -mu / pivot;
    u_out[i * stride] = (u_in[i * stride] + mu * u_out[(i + 1) * stride]) / pivot;
  }
  const uint next = middle + 1;
  if (next < last || middle > 0) {
    const float below = u_out[middle * stride], above = u_out[next * stride];
    const float share = 1.0f / (1.0f - c[middle] * c[next]);
    u_out[middle * stride] = (below - c[middle] * above) * share;
    u_out[next * stride] = (above - c[next] * below) * share;
  }
  for (uint i = middle; i-- > 1;) u_out[i * stride] -= c[i] * u_out[(i + 1) * stride];
  for (uint i = next + 1; i < last; ++i) u_out[i * stride] -= c[i] * u_out[(i - 1) * stride];
}

kernel void adi_x(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NY || k >= NZ || t >= size.x * size.y) return;
  const uint first = (k * NY + j) * NX, stride = 1;
  if (j > 0 && k > 0 && j + 1 < NY && k + 1 < NZ) {
    solve(u_in + first, u_out + first, stride, NX, mu);
    return;
  }
  for (uint i = NX; i > 0; --i) u_out[first + (i - 1) * stride] = u_in[first + (i - 1) * stride];
}

kernel void adi_y(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NZ || t >= size.x * size.y) return;
  const uint first = k * NY * NX + j, stride = NX;
  if (j > 0 && k > 0 && j + 1 < NX && k + 1 < NZ) {
    solve(u_in + first, u_out + first, stride, NY, mu);
    return;
  }
  for (uint i = NY; i > 0; --i) u_out[first + (i - 1) * stride] = u_in[first + (i - 1) * stride];
}

kernel void adi_z(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NY || t >= size.x * size.y) return;
  const uint first = k * NX + j, stride = NX * NY;
  if (j > 0 && k > 0 && j + 1 < NX && k + 1 < NY) {
    solve(u_in + first, u_out + first, stride, NZ, mu);
    return;
  }
  for (uint i = NZ; i > 0; --i) u_out[first + (i - 1) * stride] = u_in[first + (i - 1) * stride];
}
