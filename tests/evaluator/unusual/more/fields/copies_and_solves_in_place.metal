// task: adi3d
//
// Copies a line, then solves it in place, with ratios that a thread keeps for itself.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 256;

// Thomas's algorithm for the inner places of a line, whose ends are given.
void solve(device float* u, uint stride, uint length, float mu) {
  float ratio[longest];
  const float b = 1.0f + 2.0f * mu;
  float above = 0.0f, d = u[0];
  for (uint i = 1; i + 1 < length; ++i) {
    const float pivot = 1.0f / (b + mu * above);
    const float right = i + 2 == length ? mu * u[(length - 1) * stride] : 0.0f;
    d = (u[i * stride] + mu * d + right) * pivot;
    u[i * stride] = d;
    ratio[i] = above = -mu * pivot;
  }
  for (uint i = length - 2; i-- > 1;) {
    d = u[i * stride] - ratio[i] * d;
    u[i * stride] = d;
  }
}

kernel void adi_x(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NY || k >= NZ || t >= size.x * size.y) return;
  const uint first = (k * NY + j) * NX;
  for (uint i = 0; i < NX; ++i) u_out[first + i * (1)] = u_in[first + i * (1)];
  if (j > 0 && k > 0 && j + 1 < NY && k + 1 < NZ) solve(u_out + first, 1, NX, mu);
}

kernel void adi_y(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NZ || t >= size.x * size.y) return;
  const uint first = k * NY * NX + j;
  for (uint i = 0; i < NY; ++i) u_out[first + i * (NX)] = u_in[first + i * (NX)];
  if (j > 0 && k > 0 && j + 1 < NX && k + 1 < NZ) solve(u_out + first, NX, NY, mu);
}

kernel void adi_z(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NY || t >= size.x * size.y) return;
  const uint first = k * NX + j;
  for (uint i = 0; i < NZ; ++i) u_out[first + i * (NX * NY)] = u_in[first + i * (NX * NY)];
  if (j > 0 && k > 0 && j + 1 < NX && k + 1 < NY) solve(u_out + first, NX * NY, NZ, mu);
}
