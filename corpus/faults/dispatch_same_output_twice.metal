// Two threadgroups write the same part of the output.
// missed by lint: what another threadgroup writes is compared for neighbours in the grid only
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 128*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]]) {
  y[t] = x[i];  // check: race
}
kernel void fixed(device const float* x, device float* y, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
  y[i] = x[i] * float(t);
}
