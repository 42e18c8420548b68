TABLE int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
TABLE int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
TABLE float weight[9] = {4.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f,  1.0f / 9.0f, 1.0f / 9.0f,
                         1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f, 1.0f / 36.0f};

// One lattice Boltzmann step, one cell a thread: pull nine populations from upstream, relax,
// store.
__kernel void lbm_step(BUFFER(f_in), BUFFER(f_out), BUFFER(NX), BUFFER(NY), BUFFER(tau), HOST) {
  ARRAY(const float, f_in);
  ARRAY(float, f_out);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(float, tau);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= NX || j >= NY) return;

  const uint cells = NX * NY;
  float s[9];
  float rho = 0.0f;
  float ux = 0.0f;
  float uy = 0.0f;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const uint from_i = (uint)((int)i - cx[k] + (int)NX) % NX;
    const uint from_j = (uint)((int)j - cy[k] + (int)NY) % NY;
    s[k] = f_in[k * cells + from_j * NX + from_i];
    rho += s[k];
    ux += (float)cx[k] * s[k];
    uy += (float)cy[k] * s[k];
  }
  ux /= rho;
  uy /= rho;

  const float usq = ux * ux + uy * uy;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float cu = (float)cx[k] * ux + (float)cy[k] * uy;
    const float equilibrium = weight[k] * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * usq);
    f_out[k * cells + j * NX + i] = s[k] - (s[k] - equilibrium) / tau;
  }
}
