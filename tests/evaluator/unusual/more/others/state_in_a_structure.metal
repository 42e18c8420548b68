// task: hmc
//
// Keeps a chain in a structure, two rows of the matrix at a time.
#include <metal_stdlib>
using namespace metal;

constant uint most = 32;

uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

float uniform_at(uint seed, uint chain, uint count) {
  return float(scramble(scramble((seed + chain * 0x9E3779B9u) ^ count)) >> 8) * (1.0f / 16777216.0f);
}

struct Chain {
  float q[most], p[most], f[most];
  float energy(uint d) thread const {
    float sum = 0.0f;
    for (uint i = 0; i < d; ++i) sum = fma(q[i], f[i], fma(p[i], p[i], sum));
    return 0.5f * sum;
  }
  void push(device const float* A, uint d) thread {
    for (uint row = 0; row < d; row += 2) {
      float2 sum = 0.0f;
      for (uint k = 0; k < d; ++k) sum += float2(A[row * d + k], A[(row + 1) * d + k]) * q[k];
      f[row] = sum.x;
      f[row + 1] = sum.y;
    }
  }
};

kernel void hmc_step(device const float* q_in [[buffer(0)]], device float* q_out [[buffer(1)]],
                     device uint* accept_cnt [[buffer(2)]], device const float* A [[buffer(3)]],
                     constant uint& K [[buffer(4)]], constant uint& d [[buffer(5)]],
                     constant uint& L [[buffer(6)]], constant float& eps [[buffer(7)]],
                     constant uint& hmc_step_idx [[buffer(8)]], constant uint& seed [[buffer(9)]],
                     uint chain [[thread_position_in_grid]]) {
  if (chain >= K) return;
  Chain state;
  const uint base = hmc_step_idx * (d + 1);
  device const float* from = q_in + chain * d;
  for (uint i = 0; i < d; i += 2) {
    const float radius = sqrt(-2.0f * log(max(uniform_at(seed, chain, base + i), 1e-7f)));
    const float angle = 2.0f * M_PI_F * uniform_at(seed, chain, base + i + 1);
    state.p[i] = radius * cos(angle);
    state.p[i + 1] = radius * sin(angle);
    state.q[i] = from[i];
    state.q[i + 1] = from[i + 1];
  }
  state.push(A, d);
  const float before = state.energy(d);
  for (uint round = 0; round < L; ++round) {
    const float kick = round == 0 ? 0.5f * eps : eps;
    for (uint i = 0; i < d; ++i) {
      state.p[i] -= kick * state.f[i];
      state.q[i] += eps * state.p[i];
    }
    state.push(A, d);
  }
  for (uint i = 0; i < d; ++i) state.p[i] -= 0.5f * eps * state.f[i];
  const float change = state.energy(d) - before;
  const float u = max(uniform_at(seed, chain, base + d), 1e-30f);
  const bool accepted = isfinite(change) && log(u) < -change;
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = accepted ? state.q[i] : from[i];
  accept_cnt[chain] += accepted ? 1 : 0;
}
