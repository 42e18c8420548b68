// task: nbody
//
// Counts down, two bodies a round, with powers instead of rsqrt.
#include <metal_stdlib>
using namespace metal;

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]],
                       uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float3 r = pos_in[i].xyz;
  float3 even = 0.0f, odd = 0.0f;
  uint left = N;
  if (left % 2 == 1) {
    --left;
    const float3 d = pos_in[left].xyz - r;
    const float r2 = fma(eps, eps, dot(d, d));
    even += d * (mass[left] / (r2 * sqrt(r2)));
  }
  while (left > 0) {
    left -= 2;
    const float3 d0 = pos_in[left].xyz - r, d1 = pos_in[left + 1].xyz - r;
    const float2 r2 = float2(dot(d0, d0), dot(d1, d1)) + eps * eps;
    const float2 strength = float2(mass[left], mass[left + 1]) / (r2 * sqrt(r2));
    even = fma(d0, float3(strength.x), even);
    odd = fma(d1, float3(strength.y), odd);
  }
  const float3 v = vel_in[i].xyz + (even + odd) * (G * dt);
  pos_out[i] = float4(fma(v, float3(dt), r), 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
