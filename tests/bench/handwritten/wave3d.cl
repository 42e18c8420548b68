// One leapfrog step of the wave equation, one cell a thread; the faces keep their values.
__kernel void wave_step(BUFFER(u_prev), BUFFER(u_curr), BUFFER(u_next), BUFFER(NX), BUFFER(NY),
                        BUFFER(NZ), BUFFER(alpha), HOST) {
  ARRAY(const float, u_prev);
  ARRAY(const float, u_curr);
  ARRAY(float, u_next);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(uint, NZ);
  VALUE(float, alpha);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  const uint k = get_global_id(2);
  if (i >= NX || j >= NY || k >= NZ) return;

  const uint row = NX;
  const uint layer = NX * NY;
  const uint at = k * layer + j * row + i;
  const float c = u_curr[at];
  if (i == 0 || j == 0 || k == 0 || i == NX - 1 || j == NY - 1 || k == NZ - 1) {
    u_next[at] = c;
    return;
  }
  const float around = u_curr[at - 1] + u_curr[at + 1] + u_curr[at - row] + u_curr[at + row] +
                       u_curr[at - layer] + u_curr[at + layer];
  u_next[at] = 2.0f * c - u_prev[at] + alpha * (around - 6.0f * c);
}
