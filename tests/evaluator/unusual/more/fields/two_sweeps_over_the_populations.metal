// task: lbm
//
// Computes the moments first, then reads each population again and stores it.
#include <metal_stdlib>
using namespace metal;

constant char2 ways[9] = {char2(0, 0), char2(1, 0), char2(0, 1), char2(-1, 0), char2(0, -1),
                          char2(1, 1), char2(-1, 1), char2(-1, -1), char2(1, -1)};

uint upstream(uint2 cell, char2 way, uint NX, uint NY) {
  int2 from = int2(cell) - int2(way);
  const int2 sides = int2(int(NX), int(NY));
  from += select(int2(0), sides, from < 0);
  from -= select(int2(0), sides, from >= sides);
  return uint(from.y) * NX + uint(from.x);
}

kernel void lbm_step(device const float* f_in [[buffer(0)]], device float* f_out [[buffer(1)]],
                     constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                     constant float& tau [[buffer(4)]], uint2 cell [[thread_position_in_grid]]) {
  if (cell.x >= NX || cell.y >= NY) return;
  const uint cells = NX * NY;
  float rho = 0.0f;
  float2 flow = 0.0f;
  for (uint k = 0; k < 9; ++k) {
    const float s = f_in[k * cells + upstream(cell, ways[k], NX, NY)];
    rho += s;
    flow += s * float2(ways[k]);
  }
  flow /= rho;
  for (uint k = 0; k < 9; ++k) {
    const float s = f_in[k * cells + upstream(cell, ways[k], NX, NY)];
    const float along = dot(flow, float2(ways[k]));
    const float weight = k == 0 ? 4.0f / 9.0f : k < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
    const float rest = weight * rho * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * dot(flow, flow));
    f_out[k * cells + cell.y * NX + cell.x] = fma(rest - s, 1.0f / tau, s);
  }
}
