#include <metal_stdlib>
using namespace metal;

// Threads of a threadgroup, at most; bodies that a thread reads at once; the square root; and
// whether bodies go through threadgroup memory.
constant uint WIDTH = 64;  // msci: tune WIDTH 32 64 128 256 512 1024
#define BODIES 1           // msci: tune BODIES 1 2 4 8 16
#define ROOT rsqrt         // msci: tune ROOT rsqrt fast::rsqrt
#define TILE 1             // msci: tune TILE 0 1
// msci: tune where WIDTH <= 512 || TILE == 0
// msci: tune where BODIES == 1 || TILE == 0

kernel void nbody_step [[max_total_threads_per_threadgroup(WIDTH)]] (
    device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
    device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
    device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
    constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
    constant float& G [[buffer(8)]], uint i [[thread_position_in_grid]],
    uint t [[thread_position_in_threadgroup]], uint threads [[threads_per_threadgroup]]) {
  const float3 r = i < N ? pos_in[i].xyz : float3(0.0f);
  float3 pull = float3(0.0f);
#if TILE
  threadgroup float4 tile[WIDTH];
  for (uint first = 0; first < N; first += threads) {
    const uint mine = first + t;
    tile[t] = mine < N ? float4(pos_in[mine].xyz, mass[mine]) : float4(0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    const uint count = min(threads, N - first);
    for (uint j = 0; j < count; ++j) {
      const float3 d = tile[j].xyz - r;
      const float r2 = dot(d, d) + eps * eps;
      pull += tile[j].w * d * ROOT(r2 * r2 * r2);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
#else
  uint j = 0;
  for (; j + BODIES <= N; j += BODIES)
    for (uint k = 0; k < BODIES; ++k) {
      const float3 d = pos_in[j + k].xyz - r;
      const float r2 = dot(d, d) + eps * eps;
      pull += mass[j + k] * d * ROOT(r2 * r2 * r2);
    }
  for (; j < N; ++j) {
    const float3 d = pos_in[j].xyz - r;
    const float r2 = dot(d, d) + eps * eps;
    pull += mass[j] * d * ROOT(r2 * r2 * r2);
  }
#endif
  if (i >= N) return;
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
