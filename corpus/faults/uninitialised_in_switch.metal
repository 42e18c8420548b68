// One case of a switch does not set the result.
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uint shade;
  switch (u[t] % 3) {
    case 0:
      shade = 7;
      break;
    case 1:
      shade = 9;
      break;
    default:  // lint: hazard.uninitialised_variable
      break;
  }
  y[t] = shade;  // check: uninitialised
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uint shade;
  switch (u[t] % 3) {
    case 0:
      shade = 7;
      break;
    case 1:
      shade = 9;
      break;
    default:
      shade = 1;
      break;
  }
  y[t] = shade;
}
