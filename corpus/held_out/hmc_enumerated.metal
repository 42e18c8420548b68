// hmc with its dimension known at compile time: for 8, for 16, and 32 for all that is left. Any other
// dimension strides the state wrongly.
#include <metal_stdlib>
using namespace metal;

uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

float uniform_at(uint stream, uint count) {
  return float(scramble(scramble(stream ^ count)) >> 8) * 0x1p-24f;
}

template <uint d>
void step(device const float* q_in, device float* q_out, device uint& accepted,
          device const float* A, uint chain, uint rounds, float eps, uint index, uint seed) {
  const uint stream = seed + chain * 0x9E3779B9u;
  float q[d], p[d], f[d];
  for (uint i = 0; i < d; i += 2) {
    const uint n = index * (d + 1) + i;
    const float u1 = max(uniform_at(stream, n), 1e-7f);
    const float u2 = uniform_at(stream, n + 1);
    const float radius = sqrt(-2.0f * log(u1));
    p[i] = radius * cos(2.0f * M_PI_F * u2);
    p[i + 1] = radius * sin(2.0f * M_PI_F * u2);
  }
  for (uint i = 0; i < d; ++i) q[i] = q_in[chain * d + i];

  float before = 0.0f;
  for (uint i = 0; i < d; ++i) {
    float sum = 0.0f;
    for (uint j = 0; j < d; ++j) sum += A[i * d + j] * q[j];
    f[i] = sum;
    before += 0.5f * (q[i] * sum + p[i] * p[i]);
  }
  for (uint i = 0; i < d; ++i) p[i] -= 0.5f * eps * f[i];
  for (uint round = 1; round <= rounds; ++round) {
    for (uint i = 0; i < d; ++i) q[i] += eps * p[i];
    for (uint i = 0; i < d; ++i) {
      float sum = 0.0f;
      for (uint j = 0; j < d; ++j) sum += A[i * d + j] * q[j];
      f[i] = sum;
    }
    const float kick = round == rounds ? 0.5f * eps : eps;
    for (uint i = 0; i < d; ++i) p[i] -= kick * f[i];
  }
  float after = 0.0f;
  for (uint i = 0; i < d; ++i) after += 0.5f * (q[i] * f[i] + p[i] * p[i]);

  const float change = after - before;
  const float u = max(uniform_at(stream, index * (d + 1) + d), 1e-30f);
  const bool accept = isfinite(change) && log(u) < -change;
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = accept ? q[i] : q_in[chain * d + i];
  if (accept) accepted += 1;
}

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
  if (d == 8)
    step<8>(q_in, q_out, accept_cnt[chain], A, chain, L, eps, hmc_step_idx, seed);
  else if (d == 16)
    step<16>(q_in, q_out, accept_cnt[chain], A, chain, L, eps, hmc_step_idx, seed);
  else
    step<32>(q_in, q_out, accept_cnt[chain], A, chain, L, eps, hmc_step_idx, seed);
}
