// task: nbody
//
// All simdgroups fetch a tile together; the last tile is filled with bodies without mass.
#include <metal_stdlib>
using namespace metal;

kernel void nbody_step(device const float4* pos_in [[buffer(0)]], device float4* pos_out [[buffer(1)]],
                       device const float4* vel_in [[buffer(2)]], device float4* vel_out [[buffer(3)]],
                       device const float* mass [[buffer(4)]], constant uint& N [[buffer(5)]],
                       constant float& dt [[buffer(6)]], constant float& eps [[buffer(7)]],
                       constant float& G [[buffer(8)]], uint i [[thread_position_in_grid]],
                       uint t [[thread_index_in_threadgroup]],
                       uint size [[threads_per_threadgroup]]) {
  threadgroup float4 tile[1024];
  const float3 r = i < N ? pos_in[i].xyz : float3(0.0f);
  float3 pull = float3(0.0f);
  for (uint begin = 0; begin < N; begin += size) {
    const uint j = begin + t;
    tile[t] = j < N ? float4(pos_in[j].xyz, mass[j]) : float4(0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < size; ++k) {
      const float3 d = tile[k].xyz - r;
      const float r2 = dot(d, d) + eps * eps;
      pull += tile[k].w * d * rsqrt(r2 * r2 * r2);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i >= N) return;
  const float3 v = vel_in[i].xyz + G * pull * dt;
  pos_out[i] = float4(r + v * dt, 0.0f);
  vel_out[i] = float4(v, 0.0f);
}
