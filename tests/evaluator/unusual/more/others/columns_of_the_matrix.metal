// task: hmc
//
// Multiplies by the columns of the matrix, which the threadgroup keeps as it is, and kicks twice a round.
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

void push(threadgroup const float* A, thread const float* q, thread float* f, uint d) {
  for (uint i = 0; i < d; ++i) f[i] = 0.0f;
  for (uint k = 0; k < d; ++k)
    for (uint row = 0; row < d; ++row) f[row] = fma(A[row * d + k], q[k], f[row]);
}

float product(thread const float* a, thread const float* b, uint d) {
  float sum = 0.0f;
  for (uint i = 0; i < d; ++i) sum = fma(a[i], b[i], sum);
  return sum;
}

kernel void hmc_step(device const float* q_in [[buffer(0)]], device float* q_out [[buffer(1)]],
                     device uint* accept_cnt [[buffer(2)]], device const float* A [[buffer(3)]],
                     constant uint& K [[buffer(4)]], constant uint& d [[buffer(5)]],
                     constant uint& L [[buffer(6)]], constant float& eps [[buffer(7)]],
                     constant uint& hmc_step_idx [[buffer(8)]], constant uint& seed [[buffer(9)]],
                     uint chain [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
  threadgroup float matrix[most * most];
  for (uint at = t; at < d * d; at += threads) matrix[at] = A[at];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (chain >= K) return;
  float q[most], p[most], f[most];
  const uint base = hmc_step_idx * (d + 1);
  for (uint i = 0; i < d; ++i) {
    q[i] = q_in[chain * d + i];
    const uint even = base + (i & ~1u);
    const float radius = sqrt(-2.0f * log(max(uniform_at(seed, chain, even), 1e-7f)));
    const float angle = 2.0f * M_PI_F * uniform_at(seed, chain, even + 1);
    p[i] = radius * (i % 2 == 0 ? cos(angle) : sin(angle));
  }
  push(matrix, q, f, d);
  const float before = 0.5f * (product(q, f, d) + product(p, p, d));
  for (uint round = 0; round < L; ++round) {
    for (uint i = 0; i < d; ++i) p[i] = fma(-0.5f * eps, f[i], p[i]);
    for (uint i = 0; i < d; ++i) q[i] = fma(eps, p[i], q[i]);
    push(matrix, q, f, d);
    for (uint i = 0; i < d; ++i) p[i] = fma(-0.5f * eps, f[i], p[i]);
  }
  const float change = 0.5f * (product(q, f, d) + product(p, p, d)) - before;
  const float u = max(uniform_at(seed, chain, base + d), 1e-30f);
  const bool accepted = isfinite(change) && log(u) < -change;
  if (accepted) ++accept_cnt[chain];
  for (uint i = 0; i < d; ++i) q_out[chain * d + i] = accepted ? q[i] : q_in[chain * d + i];
}
