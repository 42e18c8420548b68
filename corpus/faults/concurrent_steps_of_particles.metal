// A step of all particles begins before the step before it has ended.
// missed by lint: a source does not say which launches overlap
// grid: 16
// threadgroup: 16
// launches: 2 concurrent
// in 0: float 1..32
// in 1: float 32*0.5
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float2* position, device const float2* velocity, uint i [[thread_position_in_grid]]) {
  position[i] += 0.01f * velocity[i];  // check: race
}
kernel void fixed(device const float2* position, device float2* next, uint i [[thread_position_in_grid]]) {
  next[i] = 0.99f * position[i];
}
