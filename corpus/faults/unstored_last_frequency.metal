// A real transform has one frequency more than half of its length.
// missed by lint: the values of the host and of buffers are not known
// grid: 16
// threadgroup: 16
// in 0: float 1..32
// out 1: float 17*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* power, uint k [[thread_position_in_grid]]) {
  float2 sum = 0;
  for (uint j = 0; j < 32; ++j) sum += x[j] * float2(cospi(k * j / 16.0f), sinpi(k * j / 16.0f));
  power[k] = dot(sum, sum);  // check: unstored
}
kernel void fixed(device const float* x, device float* power, uint i [[thread_position_in_grid]]) {
  for (uint k = i; k < 17; k += 16) {
    float2 sum = 0;
    for (uint j = 0; j < 32; ++j) sum += x[j] * float2(cospi(k * j / 16.0f), sinpi(k * j / 16.0f));
    power[k] = dot(sum, sum);
  }
}
