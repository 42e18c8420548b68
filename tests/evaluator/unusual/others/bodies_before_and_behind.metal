// task: nbody
//
// Two loops, which leave the body itself out, and an early end for bodies without a pull.
#include <metal_stdlib>
using namespace metal;

float3 pull_of(float3 d, float mass, float eps) {
  const float per_r = rsqrt(fma(eps, eps, dot(d, d)));
  return (mass * per_r * per_r * per_r) * d;
}

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]], uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float4 here = pos_in[i];
  float3 pull = 0.0f;
  for (uint j = 0; j < i; ++j) pull += pull_of(pos_in[j].xyz - here.xyz, mass[j], eps);
  for (uint j = i + 1; j < N; ++j) pull += pull_of(pos_in[j].xyz - here.xyz, mass[j], eps);
  const float3 v = vel_in[i].xyz;
  if (all(pull == 0.0f)) {
    pos_out[i] = float4(here.xyz + v * dt, 0.0f);
    vel_out[i] = float4(v, 0.0f);
    return;
  }
  const float3 faster = v + (G * dt) * pull;
  pos_out[i] = float4(here.xyz + faster * dt, 0.0f);
  vel_out[i] = float4(faster, 0.0f);
}
