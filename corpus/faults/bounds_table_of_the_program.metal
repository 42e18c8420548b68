// A number from a buffer chooses an element of a table of the program.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
constant float gains[4] = {1, 2, 4, 8};
kernel void faulty(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = gains[u[t]];  // check: out_of_bounds
}
kernel void fixed(device const uint* u, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = gains[min(u[t], 3u)];
}
