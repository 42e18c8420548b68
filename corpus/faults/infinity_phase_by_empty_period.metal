// A phase within a period of zero.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: float 1 2 3 4
// in 1: float 2 3 0 5
// in 2: float 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* time, device const float* period, device float* phase,
                   uint i [[thread_position_in_grid]]) {
  phase[i] = fmod(time[i], period[i]);  // check: not_finite
}
kernel void fixed(device const float* time, device const float* period, device float* phase,
                  uint i [[thread_position_in_grid]]) {
  phase[i] = period[i] > 0 ? fmod(time[i], period[i]) : 0;
}
