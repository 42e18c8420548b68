// task: lbm
//
// Chooses neighbours at the edges instead of dividing.
#include <metal_stdlib>
using namespace metal;

constant int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float weight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                            1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

// One lattice Boltzmann step, one cell per thread: pull nine populations from upstream, relax,
// store.
kernel void lbm_step(device const float* f_in [[buffer(0)]],
                     device float* f_out [[buffer(1)]],
                     constant uint& NX [[buffer(2)]],
                     constant uint& NY [[buffer(3)]],
                     constant float& tau [[buffer(4)]],
                     uint2 cell [[thread_position_in_grid]]) {
  const uint i = cell.x;
  const uint j = cell.y;
  if (i >= NX || j >= NY) return;

  const uint cells = NX * NY;
  float s[9];
  float rho = 0.0f;
  float ux = 0.0f;
  float uy = 0.0f;
  for (int k = 0; k < 9; ++k) {
    const uint from_i = cx[k] > 0 ? (i == 0 ? NX - 1 : i - 1) : cx[k] < 0 ? (i + 1 == NX ? 0 : i + 1) : i;
    const uint from_j = cy[k] > 0 ? (j == 0 ? NY - 1 : j - 1) : cy[k] < 0 ? (j + 1 == NY ? 0 : j + 1) : j;
    s[k] = f_in[k * cells + from_j * NX + from_i];
    rho += s[k];
    ux += float(cx[k]) * s[k];
    uy += float(cy[k]) * s[k];
  }
  ux /= rho;
  uy /= rho;

  const float usq = ux * ux + uy * uy;
  for (int k = 0; k < 9; ++k) {
    const float cu = float(cx[k]) * ux + float(cy[k]) * uy;
    const float equilibrium = weight[k] * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * usq);
    f_out[k * cells + j * NX + i] = s[k] - (s[k] - equilibrium) / tau;
  }
}
