// Points have three components, and two are rotated: the third one is never copied.
// missed by lint: the values of the host and of buffers are not known
// grid: 20
// threadgroup: 20
// in 0: float 1..60
// out 1: float 60*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* p, device float* q, uint i [[thread_position_in_grid]]) {
  q[3 * i] = -p[3 * i + 1];
  q[3 * i + 1] = p[3 * i];  // check: unstored
}
kernel void fixed(device const float* p, device float* q, uint i [[thread_position_in_grid]]) {
  q[3 * i] = -p[3 * i + 1];
  q[3 * i + 1] = p[3 * i];
  q[3 * i + 2] = p[3 * i + 2];
}
