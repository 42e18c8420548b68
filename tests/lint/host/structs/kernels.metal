#include <metal_stdlib>
using namespace metal;

struct Particle {
  float4 position;
  float4 velocity;
  float mass;
};

struct Settings {
  float3 gravity;
  float step;
  uint count;
};

// The kernels of every host here.
kernel void move(device Particle* particles [[buffer(0)]], constant Settings& settings [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  if (i >= settings.count) return;
  particles[i].velocity.xyz += settings.gravity * settings.step / particles[i].mass;
  particles[i].position += particles[i].velocity * settings.step;
}
