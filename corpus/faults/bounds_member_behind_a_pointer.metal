// The loop runs over one element more than the member has, into the next member.
// grid: 4
// threadgroup: 4
// in 0: float 1..24
// out 1: float 4*0
#include <metal_stdlib>
using namespace metal;
struct Particle {
  float weights[4];
  float mass;
  float age;
};
kernel void faulty(device const Particle* p, device float* y, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (int k = 0; k <= 4; ++k) sum += p[i].weights[k];  // lint: hazard.out_of_bounds; check: out_of_bounds
  y[i] = sum * p[i].mass;
}
kernel void fixed(device const Particle* p, device float* y, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += p[i].weights[k];
  y[i] = sum * p[i].mass;
}
