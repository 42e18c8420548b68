// One explicit step of the heat equation, one cell a thread; the edges keep their values.
__kernel void heat_step(BUFFER(u_in), BUFFER(u_out), BUFFER(NX), BUFFER(NY), BUFFER(alpha), HOST) {
  ARRAY(const float, u_in);
  ARRAY(float, u_out);
  VALUE(uint, NX);
  VALUE(uint, NY);
  VALUE(float, alpha);
  const uint i = get_global_id(0);
  const uint j = get_global_id(1);
  if (i >= NX || j >= NY) return;

  const uint at = j * NX + i;
  const float c = u_in[at];
  if (i == 0 || j == 0 || i == NX - 1 || j == NY - 1) {
    u_out[at] = c;
    return;
  }
  const float around = u_in[at - 1] + u_in[at + 1] + u_in[at - NX] + u_in[at + NX];
  u_out[at] = c + alpha * (around - 4.0f * c);
}
