// A component of a vector is chosen by a number that may be four.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: uint 64*4
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float4 v = float4(1, 2, 3, 4) * float(t);
  y[t] = v[u[t]];  // check: out_of_bounds
}
kernel void fixed(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float4 v = float4(1, 2, 3, 4) * float(t);
  y[t] = v[u[t] & 3];
}
