// task: lbm
//
// Every other thread moves two cells side by side; the last one of a row of odd length moves one.
#include <metal_stdlib>
using namespace metal;

constant int2 direction[9] = {int2(0, 0), int2(1, 0), int2(0, 1), int2(-1, 0), int2(0, -1),
                              int2(1, 1), int2(-1, 1), int2(-1, -1), int2(1, -1)};

float weight_of(int2 c) { return c.x == 0 && c.y == 0 ? 4.0f / 9.0f : c.x != 0 && c.y != 0 ? 1.0f / 36.0f : 1.0f / 9.0f; }

void move(device const float* f_in, device float* f_out, uint i, uint j, uint NX, uint NY, float tau) {
  const uint cells = NX * NY;
  float s[9];
  float3 moments = 0.0f;
  for (int k = 0; k < 9; ++k) {
    const int2 c = direction[k];
    const uint from_i = c.x == 1 ? (i == 0 ? NX - 1 : i - 1) : c.x == -1 ? (i + 1 == NX ? 0 : i + 1) : i;
    const uint from_j = c.y == 1 ? (j == 0 ? NY - 1 : j - 1) : c.y == -1 ? (j + 1 == NY ? 0 : j + 1) : j;
    s[k] = f_in[k * cells + from_j * NX + from_i];
    moments += s[k] * float3(1.0f, float2(c));
  }
  const float2 u = moments.yz / moments.x;
  const float slow = 1.0f - 1.5f * dot(u, u);
  for (int k = 0; k < 9; ++k) {
    const float cu = dot(float2(direction[k]), u);
    const float equilibrium = weight_of(direction[k]) * moments.x * (slow + cu * (3.0f + 4.5f * cu));
    f_out[k * cells + j * NX + i] = s[k] - (s[k] - equilibrium) / tau;
  }
}

kernel void lbm_step(device const float* f_in [[buffer(0)]], device float* f_out [[buffer(1)]],
                     constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                     constant float& tau [[buffer(4)]], uint2 cell [[thread_position_in_grid]]) {
  if (cell.x >= NX || cell.y >= NY || (cell.x & 1) != 0) return;
  move(f_in, f_out, cell.x, cell.y, NX, NY, tau);
  if (cell.x + 1 < NX) move(f_in, f_out, cell.x + 1, cell.y, NX, NY, tau);
}
