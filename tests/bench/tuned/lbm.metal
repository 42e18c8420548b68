#include <metal_stdlib>
using namespace metal;

constant int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float weight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                            1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

// One lattice Boltzmann step, four cells of a row a thread: aligned loads, and one element more where
// they come from beside. Upstream is found by comparison instead of division, and the one division
// left is by the density. The host dispatches a thread for each four columns. NX is a multiple of
// four.
kernel void lbm_step(device const float* f_in [[buffer(0)]],
                     device float* f_out [[buffer(1)]],
                     constant uint& NX [[buffer(2)]],
                     constant uint& NY [[buffer(3)]],
                     constant float& tau [[buffer(4)]],
                     uint2 quad [[thread_position_in_grid]]) {
  const uint i = 4 * quad.x;
  const uint j = quad.y;
  if (i >= NX || j >= NY) return;

  const uint cells = NX * NY;
  const uint before = i == 0 ? NX - 1 : i - 1;
  const uint after = i + 4 == NX ? 0 : i + 4;
  const uint row[3] = {(j + 1 == NY ? 0 : j + 1) * NX, j * NX, (j == 0 ? NY - 1 : j - 1) * NX};
  float4 s[9];
  for (int k = 0; k < 9; ++k) {
    device const float* from = f_in + k * cells + row[cy[k] + 1];
    const float4 here = *(device const float4*)(from + i);
    s[k] = here;
    if (cx[k] == 1) s[k] = float4(from[before], here.xyz);
    if (cx[k] == -1) s[k] = float4(here.yzw, from[after]);
  }

  float4 rho = 0.0f;
  float4 ux = 0.0f;
  float4 uy = 0.0f;
  for (int k = 0; k < 9; ++k) {
    rho += s[k];
    ux += float(cx[k]) * s[k];
    uy += float(cy[k]) * s[k];
  }
  const float4 inverse_rho = 1.0f / rho;
  ux *= inverse_rho;
  uy *= inverse_rho;

  const float omega = 1.0f / tau;
  const float4 at_rest = 1.0f - 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; ++k) {
    const float4 cu = float(cx[k]) * ux + float(cy[k]) * uy;
    const float4 equilibrium = weight[k] * rho * (at_rest + 3.0f * cu + 4.5f * cu * cu);
    *(device float4*)(f_out + k * cells + j * NX + i) = s[k] - omega * (s[k] - equilibrium);
  }
}
