// task: nbody
//
// Adds with the error of each sum (Kahan).
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
  float3 pull = 0.0f, lost = 0.0f;
  for (uint j = 0; j < N; ++j) {
    const float3 d = pos_in[j].xyz - r;
    const float per_r = rsqrt(dot(d, d) + eps * eps);
    const float3 term = mass[j] * per_r * per_r * per_r * d - lost;
    const float3 sum = pull + term;
    lost = (sum - pull) - term;
    pull = sum;
  }
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
