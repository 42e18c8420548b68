// task: nbody
//
// The lanes of a simdgroup share the bodies that pull, and add up for one body after the other.
#include <metal_stdlib>
using namespace metal;

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]],
                       uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
                       uint lanes [[threads_per_simdgroup]]) {
  const uint first = i - lane;
  float3 mine = 0.0f;
  for (uint k = 0; k < lanes; ++k) {
    const float3 r = pos_in[min(first + k, N - 1)].xyz;
    float3 part = 0.0f;
    for (uint j = lane; j < N; j += lanes) {
      const float3 d = pos_in[j].xyz - r;
      const float per_r = rsqrt(dot(d, d) + eps * eps);
      part += d * (mass[j] * per_r * per_r * per_r);
    }
    const float3 whole = simd_sum(part);
    if (k == lane) mine = whole;
  }
  if (i >= N) return;
  const float3 v = vel_in[i].xyz + G * mine * dt;
  pos_out[i] = float4(pos_in[i].xyz + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
