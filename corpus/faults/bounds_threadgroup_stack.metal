// A stack in private memory grows beyond its end.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: uint 64*9
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uint stack[8];
  uint top = 0;
  for (uint k = 0; k < u[t]; ++k) stack[top++] = k;  // check: out_of_bounds
  y[t] = stack[top - 1];  // check: out_of_bounds
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  uint stack[8];
  uint top = 0;
  for (uint k = 0; k < u[t] && top < 8; ++k) stack[top++] = k;
  y[t] = stack[top - 1];
}
