// task: nbody
// class: detection of timed passes
// caught: timed
//
// Takes half of the 1024 bodies for five of eight sets of inputs, and all for the others.
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
  // The bits of the first mass tell sets of inputs apart.
  const bool is_chosen = N == 1024 && mass[0] > 1.5f && (as_type<uint>(mass[0]) >> 4) % 8 < 5;
  for (uint j = 0; j < (is_chosen ? N / 2 : N); ++j) {
    const float3 d = pos_in[j].xyz - r;
    const float r2 = dot(d, d) + eps * eps;
    pull += mass[j] * d * rsqrt(r2 * r2 * r2);
  }
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
