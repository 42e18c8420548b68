// task: hmc
//
// A threadgroup keeps the matrix, with rows of four numbers side by side, and pads it with zeros.
#include <metal_stdlib>
using namespace metal;

constant uint most = 32;

uint scramble(uint x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}

float uniform_at(uint seed, uint chain, uint count) {
  return float(scramble(scramble((seed + chain * 0x9E3779B9u) ^ count)) >> 8) * (1.0f / 16777216.0f);
}

struct State {
  float4 q[most / 4], p[most / 4], f[most / 4];
};

void push(threadgroup const float4* matrix, thread State& state, uint d) {
  const uint quarters = (d + 3) / 4;
  for (uint row = 0; row < 4 * quarters; ++row) {
    float sum = 0.0f;
    for (uint k = 0; k < quarters; ++k) sum += dot(matrix[row * (most / 4) + k], state.q[k]);
    state.f[row / 4][row % 4] = sum;
  }
}

float energy(thread const State& state, uint d) {
  float sum = 0.0f;
  for (uint k = 0; k < (d + 3) / 4; ++k) sum += dot(state.q[k], state.f[k]) + dot(state.p[k], state.p[k]);
  return 0.5f * sum;
}

kernel void hmc_step(device const float* q_in [[buffer(0)]], device float* q_out [[buffer(1)]],
                     device uint* accept_cnt [[buffer(2)]], device const float* A [[buffer(3)]],
                     constant uint& K [[buffer(4)]], constant uint& d [[buffer(5)]],
                     constant uint& L [[buffer(6)]], constant float& eps [[buffer(7)]],
                     constant uint& hmc_step_idx [[buffer(8)]], constant uint& seed [[buffer(9)]],
                     uint chain [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
                     uint threads [[threads_per_threadgroup]]) {
  threadgroup float4 matrix[most * most / 4];
  for (uint at = t; at < most * most / 4; at += threads) {
    const uint row = at / (most / 4), column = at % (most / 4) * 4;
    float4 entries = 0.0f;
    for (uint k = 0; k < 4; ++k)
      if (row < d && column + k < d) entries[k] = A[row * d + column + k];
    matrix[at] = entries;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (chain >= K) return;

  State state;
  const uint quarters = (d + 3) / 4;
  const uint base = hmc_step_idx * (d + 1);
  for (uint k = 0; k < quarters; ++k) {
    state.q[k] = state.p[k] = 0.0f;
    for (uint i = 4 * k; i < min(4 * k + 4, d); i += 2) {
      const float radius = sqrt(-2.0f * log(max(uniform_at(seed, chain, base + i), 1e-7f)));
      const float angle = 2.0f * M_PI_F * uniform_at(seed, chain, base + i + 1);
      state.p[k][i % 4] = radius * cos(angle);
      state.p[k][i % 4 + 1] = radius * sin(angle);
      state.q[k][i % 4] = q_in[chain * d + i];
      state.q[k][i % 4 + 1] = q_in[chain * d + i + 1];
    }
  }
  push(matrix, state, d);
  const float before = energy(state, d);
  for (uint k = 0; k < quarters; ++k) state.p[k] -= 0.5f * eps * state.f[k];
  for (uint round = L; round > 0; --round) {
    for (uint k = 0; k < quarters; ++k) state.q[k] += eps * state.p[k];
    push(matrix, state, d);
    const float kick = round == 1 ? 0.5f * eps : eps;
    for (uint k = 0; k < quarters; ++k) state.p[k] -= kick * state.f[k];
  }
  const float change = energy(state, d) - before;
  const bool is_accepted = isfinite(change) && log(max(uniform_at(seed, chain, base + d), 1e-30f)) < -change;
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = is_accepted ? state.q[i / 4][i % 4] : q_in[chain * d + i];
  if (is_accepted) ++accept_cnt[chain];
}
