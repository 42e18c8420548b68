// Two frames are blended into one picture at once.
// missed by lint: a source does not say which launches overlap
// grid: 8 8
// threadgroup: 8 8
// launches: 2 concurrent
// in 0: float 64*1
// in 1: float 64*0.5
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* picture, device const float* frame, uint2 at [[thread_position_in_grid]]) {
  const uint i = 8 * at.y + at.x;
  picture[i] = mix(picture[i], frame[i], 0.1f);  // check: race
}
kernel void fixed(device float* blended, device const float* frame, uint2 at [[thread_position_in_grid]]) {
  const uint i = 8 * at.y + at.x;
  blended[i] = 0.1f * frame[i];
}
