// Gravity among all bodies, softened. A threadgroup goes through the bodies in pieces that its
// threads load together, one body each.
#include <metal_stdlib>
using namespace metal;

constant uint most_threads = 256;

struct Parameters {
  uint count;
  float softening;  // squared
  float step;
};

// position.w is the mass.
[[max_total_threads_per_threadgroup(256)]]
kernel void step_bodies(device const float4* position_in [[buffer(0)]],
                        device float4* position_out [[buffer(1)]],
                        device float4* velocity [[buffer(2)]],
                        constant Parameters& parameters [[buffer(3)]],
                        uint i [[thread_position_in_grid]],
                        uint t [[thread_index_in_threadgroup]],
                        uint width [[threads_per_threadgroup]]) {
  threadgroup float4 piece[most_threads];
  // Threads beyond the end help to load.
  const bool is_body = i < parameters.count;
  const float4 mine = is_body ? position_in[i] : float4(0.0f);

  float3 acceleration = 0.0f;
  for (uint base = 0; base < parameters.count; base += width) {
    const uint from = base + t;
    // What lies beyond the end has no mass and so no pull.
    piece[t] = from < parameters.count ? position_in[from] : float4(0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < width; ++k) {
      const float3 between = piece[k].xyz - mine.xyz;
      const float inverse = rsqrt(dot(between, between) + parameters.softening);
      acceleration += piece[k].w * inverse * inverse * inverse * between;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  if (!is_body) return;
  const float3 speed = velocity[i].xyz + parameters.step * acceleration;
  velocity[i] = float4(speed, 0.0f);
  position_out[i] = float4(mine.xyz + parameters.step * speed, mine.w);
}
