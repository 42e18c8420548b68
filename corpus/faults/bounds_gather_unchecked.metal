// An index from a buffer is not tested; -1 stands for none.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: int 32*-1 0..31
// in 2: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device const int* from, device float* y,
                   uint t [[thread_index_in_threadgroup]]) {
  y[t] = x[from[t]];  // check: out_of_bounds
}
kernel void fixed(device const float* x, device const int* from, device float* y,
                  uint t [[thread_index_in_threadgroup]]) {
  y[t] = from[t] < 0 ? 0.0f : x[from[t]];
}
