// A budget in half is too large for the unit that is taken from it.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: half 4096
// in 1: half 10*1
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device half* budget, device const half* cost) {
  half left = budget[0];
  for (uint k = 0; k < 10; ++k) left = left - cost[k];  // check: absorbed
  budget[0] = left;
}
kernel void fixed(device half* budget, device const half* cost) {
  half spent = 0;
  for (uint k = 0; k < 10; ++k) spent = spent + cost[k];
  budget[0] = budget[0] - spent;
}
