// Each thread writes two results, and the second is the next thread's first.
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 256*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[i];  // check: race
  y[i + 1] = -x[i];  // lint: hazard.lost_update; check: race
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[2 * i] = x[i];
  y[2 * i + 1] = -x[i];
}
