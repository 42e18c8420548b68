// Each launch reverses the list in place.
// grid: 16
// threadgroup: 16
// launches: 2 concurrent
// in 0: int 1..32
// in 1: int 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device int* x, uint i [[thread_position_in_grid]]) {
  const int front = x[i];  // check: race
  x[i] = x[31 - i];  // check: race
  x[31 - i] = front;  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device const int* x, device int* y, uint i [[thread_position_in_grid]]) {
  y[i] = x[31 - i];
  y[31 - i] = x[i];
}
