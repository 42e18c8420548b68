// task: adi3d
//
// Reads a line into private memory and solves it there.
#include <metal_stdlib>
using namespace metal;

constant uint longest = 256;

void solve(thread float* u, uint length, float mu) {
  float ratio[longest];
  ratio[0] = 0.0f;
  const float b = 1.0f + 2.0f * mu;
  const uint last = length - 2;
  u[last] += mu * u[length - 1];
  for (uint i = 1; i <= last; ++i) {
    const float pivot = b + mu * ratio[i - 1];
    ratio[i] = -mu / pivot;
    u[i] = (u[i] + mu * u[i - 1]) / pivot;
  }
  for (uint i = last; i > 1; --i) u[i - 1] -= ratio[i - 1] * u[i];
}

kernel void adi_x(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NY || k >= NZ || t >= size.x * size.y) return;
  const uint first = (k * NY + j) * NX, stride = 1, length = NX;
  float u[longest];
  for (uint i = 0; i < length; ++i) u[i] = u_in[first + i * stride];
  const bool on_face = j == 0 || k == 0 || j == NY - 1 || k == NZ - 1;
  if (!on_face) solve(u, length, mu);
  for (uint i = 0; i < length; ++i) u_out[first + i * stride] = u[i];
}

kernel void adi_y(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NZ || t >= size.x * size.y) return;
  const uint first = k * NY * NX + j, stride = NX, length = NY;
  float u[longest];
  for (uint i = 0; i < length; ++i) u[i] = u_in[first + i * stride];
  const bool on_face = j == 0 || k == 0 || j == NX - 1 || k == NZ - 1;
  if (!on_face) solve(u, length, mu);
  for (uint i = 0; i < length; ++i) u_out[first + i * stride] = u[i];
}

kernel void adi_z(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                  constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]], constant uint& NZ [[buffer(4)]],
                  constant float& mu [[buffer(5)]], uint2 line [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]], uint2 size [[threads_per_threadgroup]]) {
  const uint j = line.x, k = line.y;
  if (j >= NX || k >= NY || t >= size.x * size.y) return;
  const uint first = k * NX + j, stride = NX * NY, length = NZ;
  float u[longest];
  for (uint i = 0; i < length; ++i) u[i] = u_in[first + i * stride];
  const bool on_face = j == 0 || k == 0 || j == NX - 1 || k == NY - 1;
  if (!on_face) solve(u, length, mu);
  for (uint i = 0; i < length; ++i) u_out[first + i * stride] = u[i];
}
