// The highest dimension there is room for.
#define MOST 32

FUNCTION uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

// The chain's random number of that count, in [0, 1).
FUNCTION float uniform_at(uint seed, uint chain, uint count) {
  const uint h = scramble(scramble((seed + chain * 0x9E3779B9u) ^ count));
  return (float)(h >> 8) * (1.0f / 16777216.0f);
}

// f = A q.
FUNCTION void multiply(__global const float *A, const float *q, float *f, uint d) {
  for (uint row = 0; row < d; ++row) {
    float sum = 0.0f;
    for (uint column = 0; column < d; ++column) sum += A[row * d + column] * q[column];
    f[row] = sum;
  }
}

FUNCTION float half_product(const float *a, const float *b, uint d) {
  float sum = 0.0f;
  for (uint i = 0; i < d; ++i) sum += a[i] * b[i];
  return 0.5f * sum;
}

// One Hamiltonian Monte Carlo step, one chain a thread.
__kernel void hmc_step(BUFFER(q_in), BUFFER(q_out), BUFFER(accept_cnt), BUFFER(A), BUFFER(K),
                       BUFFER(d), BUFFER(L), BUFFER(eps), BUFFER(hmc_step_idx), BUFFER(seed),
                       HOST) {
  ARRAY(const float, q_in);
  ARRAY(float, q_out);
  ARRAY(uint, accept_cnt);
  ARRAY(const float, A);
  VALUE(uint, K);
  VALUE(uint, d);
  VALUE(uint, L);
  VALUE(float, eps);
  VALUE(uint, hmc_step_idx);
  VALUE(uint, seed);
  const uint chain = get_global_id(0);
  if (chain >= K) return;

  float q[MOST];
  float p[MOST];
  float f[MOST];
  const uint base = hmc_step_idx * (d + 1);
  for (uint i = 0; i < d; i += 2) {
    const float u1 = fmax(uniform_at(seed, chain, base + i), 1e-7f);
    const float u2 = uniform_at(seed, chain, base + i + 1);
    const float radius = sqrt(-2.0f * log(u1));
    const float angle = 2.0f * M_PI_F * u2;
    p[i] = radius * cos(angle);
    p[i + 1] = radius * sin(angle);
  }
  for (uint i = 0; i < d; ++i) q[i] = q_in[chain * d + i];

  multiply(A, q, f, d);
  const float before = half_product(q, f, d) + half_product(p, p, d);
  for (uint i = 0; i < d; ++i) p[i] -= 0.5f * eps * f[i];
  for (uint round = 1; round <= L; ++round) {
    for (uint i = 0; i < d; ++i) q[i] += eps * p[i];
    multiply(A, q, f, d);
    const float kick = round == L ? 0.5f * eps : eps;
    for (uint i = 0; i < d; ++i) p[i] -= kick * f[i];
  }
  const float after = half_product(q, f, d) + half_product(p, p, d);

  const float change = after - before;
  const float u = fmax(uniform_at(seed, chain, base + d), 1e-30f);
  const bool accepted = isfinite(change) && log(u) < -change;
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = accepted ? q[i] : q_in[chain * d + i];
  if (accepted) accept_cnt[chain] += 1;
}
