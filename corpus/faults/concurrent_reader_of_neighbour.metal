// One launch reads what a thread of the other one writes.
// missed by lint: a source does not say which launches overlap
// grid: 64
// threadgroup: 64
// launches: 2 concurrent
// in 0: float 1..64
// in 1: float 64*0
// in 2: float 65*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, device float* z, uint i [[thread_position_in_grid]]) {
  y[i] = x[i] + z[i];  // check: race
  z[i] = y[i];  // check: race
}
kernel void fixed(device const float* x, device float* y, device const float* z, uint i [[thread_position_in_grid]]) {
  y[i] = x[i] + z[i];
}
