// task: nbody
//
// Four sums of every fourth body, and the rest one by one.
#include <metal_stdlib>
using namespace metal;

// What one body does to another one.
float3 pull_of(float3 d, float mass, float eps) {
  const float r2 = dot(d, d) + eps * eps;
  return mass * d * rsqrt(r2 * r2 * r2);
}

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]], uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float3 r = pos_in[i].xyz;
  float3 sums[4] = {float3(0.0f), float3(0.0f), float3(0.0f), float3(0.0f)};
  const uint whole = N & ~3u;
  for (uint j = 0; j < whole; j += 4)
    for (uint k = 0; k < 4; ++k) sums[k] += pull_of(pos_in[j + k].xyz - r, mass[j + k], eps);
  for (uint j = whole; j < N; ++j) sums[0] += pull_of(pos_in[j].xyz - r, mass[j], eps);
  const float3 pull = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
