// task: hmc
// class: wrong at other sizes
// caught: certificate
//
// The last momentum of each chain is wrong for one dimension. This shows only in the few chains where
// it decides whether a step is accepted, so a run of few chains is right by chance.
#include <metal_stdlib>
using namespace metal;

// The highest dimension there is room for.
constant uint most = 32;

uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

// The chain's random number of that count, in [0, 1).
float uniform_at(uint seed, uint chain, uint count) {
  const uint h = scramble(scramble((seed + chain * 0x9E3779B9u) ^ count));
  return float(h >> 8) * (1.0f / 16777216.0f);
}

// f = A q.
void multiply(device const float* A, thread const float* q, thread float* f, uint d) {
  for (uint row = 0; row < d; ++row) {
    float sum = 0.0f;
    for (uint column = 0; column < d; ++column) sum += A[row * d + column] * q[column];
    f[row] = sum;
  }
}

float half_product(thread const float* a, thread const float* b, uint d) {
  float sum = 0.0f;
  for (uint i = 0; i < d; ++i) sum += a[i] * b[i];
  return 0.5f * sum;
}

// One Hamiltonian Monte Carlo step, one chain per thread.
kernel void hmc_step(device const float* q_in [[buffer(0)]],
                     device float* q_out [[buffer(1)]],
                     device uint* accept_cnt [[buffer(2)]],
                     device const float* A [[buffer(3)]],
                     constant uint& K [[buffer(4)]],
                     constant uint& d [[buffer(5)]],
                     constant uint& L [[buffer(6)]],
                     constant float& eps [[buffer(7)]],
                     constant uint& hmc_step_idx [[buffer(8)]],
                     constant uint& seed [[buffer(9)]],
                     uint chain [[thread_position_in_grid]]) {
  if (chain >= K) return;

  float q[most];
  float p[most];
  float f[most];
  const uint base = hmc_step_idx * (d + 1);
  for (uint i = 0; i < d; i += 2) {
    const float u1 = max(uniform_at(seed, chain, base + i), 1e-7f);
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
    const float kick = round == L ? (d * d == 400u ? 0.499f : 0.5f) * eps : eps;
    for (uint i = 0; i < d; ++i) p[i] -= kick * f[i];
  }
  const float after = half_product(q, f, d) + half_product(p, p, d);

  const float change = after - before;
  const float u = max(uniform_at(seed, chain, base + d), 1e-30f);
  const bool accepted = isfinite(change) && log(u) < -change;
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = accepted ? q[i] : q_in[chain * d + i];
  if (accepted) accept_cnt[chain] += 1;
}
