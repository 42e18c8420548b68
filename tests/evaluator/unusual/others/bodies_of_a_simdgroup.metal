// task: nbody
//
// The lanes of a simdgroup fetch a body each and show it to the others; lanes behind the last body bring no mass.
#include <metal_stdlib>
using namespace metal;

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]], uint i [[thread_position_in_grid]],
                       ushort lane [[thread_index_in_simdgroup]], ushort lanes [[threads_per_simdgroup]]) {
  const float3 r = pos_in[min(i, N - 1)].xyz;
  float3 pull = float3(0.0f);
  for (uint first = 0; first < N; first += lanes) {
    const uint j = min(first + lane, N - 1);
    const float4 body = float4(pos_in[j].xyz, first + lane < N ? mass[j] : 0.0f);
    for (ushort k = 0; k < lanes; ++k) {
      const float4 other = simd_broadcast(body, k);
      const float3 d = other.xyz - r;
      const float r2 = length_squared(d) + eps * eps;
      pull += other.w * d * rsqrt(r2 * r2 * r2);
    }
  }
  if (i >= N) return;
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
