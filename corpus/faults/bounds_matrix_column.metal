// A column of a matrix is chosen by a number that is too large.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: uint 64*3
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float3x3 m = float3x3(1.0f);
  m[1].x = float(t);
  y[t] = m[u[t]].x;  // check: out_of_bounds
}
kernel void fixed(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float3x3 m = float3x3(1.0f);
  m[1].x = float(t);
  y[t] = m[u[t] - 2].x;
}
