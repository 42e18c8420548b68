// task: lbm
//
// Names all nine populations, adds opposite ones, and has no loop.
#include <metal_stdlib>
using namespace metal;

kernel void lbm_step(device const float* f_in [[buffer(0)]], device float* f_out [[buffer(1)]],
                     constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                     constant float& tau [[buffer(4)]],
                     uint2 cell [[thread_position_in_grid]]) {
  const uint i = cell.x, j = cell.y;
  if (i >= NX || j >= NY) return;
  const uint cells = NX * NY, at = j * NX + i;
  const uint w = i > 0 ? i - 1 : NX - 1, e = i + 1 < NX ? i + 1 : 0;
  const uint s = (j > 0 ? j - 1 : NY - 1) * NX, n = (j + 1 < NY ? j + 1 : 0) * NX, h = j * NX;
  const float f0 = f_in[at], f1 = f_in[cells + h + w], f2 = f_in[2 * cells + s + i];
  const float f3 = f_in[3 * cells + h + e], f4 = f_in[4 * cells + n + i], f5 = f_in[5 * cells + s + w];
  const float f6 = f_in[6 * cells + s + e], f7 = f_in[7 * cells + n + e], f8 = f_in[8 * cells + n + w];
  const float rho = f0 + ((f1 + f3) + (f2 + f4)) + ((f5 + f7) + (f6 + f8));
  const float ux = ((f1 - f3) + (f5 - f7) + (f8 - f6)) / rho;
  const float uy = ((f2 - f4) + (f5 - f7) + (f6 - f8)) / rho;
  const float rest = 1.0f - 1.5f * (ux * ux + uy * uy), per_tau = 1.0f / tau;
  const float large = rho / 9.0f, small = rho / 36.0f, a = ux + uy, b = uy - ux;
  f_out[at] = f0 + per_tau * (4.0f * large * rest - f0);
  f_out[cells + at] = f1 + per_tau * (large * (rest + 3.0f * ux + 4.5f * ux * ux) - f1);
  f_out[2 * cells + at] = f2 + per_tau * (large * (rest + 3.0f * uy + 4.5f * uy * uy) - f2);
  f_out[3 * cells + at] = f3 + per_tau * (large * (rest - 3.0f * ux + 4.5f * ux * ux) - f3);
  f_out[4 * cells + at] = f4 + per_tau * (large * (rest - 3.0f * uy + 4.5f * uy * uy) - f4);
  f_out[5 * cells + at] = f5 + per_tau * (small * (rest + 3.0f * a + 4.5f * a * a) - f5);
  f_out[6 * cells + at] = f6 + per_tau * (small * (rest + 3.0f * b + 4.5f * b * b) - f6);
  f_out[7 * cells + at] = f7 + per_tau * (small * (rest - 3.0f * a + 4.5f * a * a) - f7);
  f_out[8 * cells + at] = f8 + per_tau * (small * (rest - 3.0f * b + 4.5f * b * b) - f8);
}
