// One step of N bodies under their own gravity, one body a thread, over all bodies in device
// memory.
__kernel void nbody_step(BUFFER(pos_in), BUFFER(pos_out), BUFFER(vel_in), BUFFER(vel_out),
                         BUFFER(mass), BUFFER(N), BUFFER(dt), BUFFER(eps), BUFFER(G), HOST) {
  ARRAY(const float4, pos_in);
  ARRAY(float4, pos_out);
  ARRAY(const float4, vel_in);
  ARRAY(float4, vel_out);
  ARRAY(const float, mass);
  VALUE(uint, N);
  VALUE(float, dt);
  VALUE(float, eps);
  VALUE(float, G);
  const uint i = get_global_id(0);
  if (i >= N) return;

  const float3 r = xyz(pos_in[i]);
  float3 pull = make_float3(0.0f);
  for (uint j = 0; j < N; ++j) {
    const float3 d = xyz(pos_in[j]) - r;
    const float r2 = dot(d, d) + eps * eps;
    pull += mass[j] * d * rsqrt(r2 * r2 * r2);
  }
  const float3 v = xyz(vel_in[i]) + G * pull * dt;
  pos_out[i] = make_float4(r + v * dt, 0.0f);
  vel_out[i] = make_float4(v, 0.0f);
}
