// The largest interior value of psi, by one threadgroup whose size is a power of two.
__kernel void gradshaf_axis_reduce(BUFFER(psi), BUFFER(psi_axis), BUFFER(NR), BUFFER(NZ), HOST) {
  ARRAY(const float, psi);
  ARRAY(float, psi_axis);
  VALUE(uint, NR);
  VALUE(uint, NZ);
  SHARED float largest[256];

  const uint thread = get_local_id(0);
  const uint threads = get_local_size(0);
  const uint columns = NR - 2;
  const uint cells = columns * (NZ - 2);
  float mine = -INFINITY;
  for (uint cell = thread; cell < cells; cell += threads) {
    const uint j = cell / columns + 1;
    const uint i = cell % columns + 1;
    mine = fmax(mine, psi[j * NR + i]);
  }
  largest[thread] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    if (thread < half_way) largest[thread] = fmax(largest[thread], largest[thread + half_way]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) psi_axis[0] = largest[0];
}

// One relaxation step, one point a thread; the edges keep their values.
__kernel void gradshaf_step(BUFFER(psi_in), BUFFER(psi_out), BUFFER(psi_axis), BUFFER(NR),
                            BUFFER(NZ), BUFFER(Rmin), BUFFER(dR), BUFFER(dZ), BUFFER(p_axis),
                            BUFFER(mu0), BUFFER(omega), HOST) {
  ARRAY(const float, psi_in);
  ARRAY(float, psi_out);
  ARRAY(const float, psi_axis);
  VALUE(uint, NR);
  VALUE(uint, NZ);
  VALUE(float, Rmin);
  VALUE(float, dR);
  VALUE(float, dZ);
  VALUE(float, p_axis);
  VALUE(float, mu0);
  VALUE(float, omega);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= NR || j >= NZ) return;

  const uint at = j * NR + i;
  const float c = psi_in[at];
  if (i == 0 || j == 0 || i == NR - 1 || j == NZ - 1) {
    psi_out[at] = c;
    return;
  }

  const float R = Rmin + (float)i * dR;
  const float per_dR2 = 1.0f / (dR * dR);
  const float per_dZ2 = 1.0f / (dZ * dZ);
  const float slope = 0.5f / (R * dR);
  const float centre = -2.0f * per_dR2 - 2.0f * per_dZ2;
  const float operated = (per_dR2 + slope) * psi_in[at - 1] + (per_dR2 - slope) * psi_in[at + 1] +
                         per_dZ2 * psi_in[at - NR] + per_dZ2 * psi_in[at + NR] + centre * c;

  const float n = c / psi_axis[0];
  const float current = n > 0.0f && n < 1.0f ? R * p_axis * 4.0f * n * (1.0f - n) : 0.0f;
  const float source = -mu0 * R * current;
  psi_out[at] = c + omega * (source - operated) / centre;
}
