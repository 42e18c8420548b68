// The length of a loop comes from the host and is longer than the array.
// missed by lint: the length of the loop comes from the host
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// in 1: uint 12
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& order, uint t [[thread_index_in_threadgroup]]) {
  float terms[8];
  for (uint k = 0; k < order; ++k) terms[k] = x[t] + float(k);  // check: out_of_bounds
  x[t] = terms[0];
}
kernel void fixed(device float* x, constant uint& order, uint t [[thread_index_in_threadgroup]]) {
  float terms[8];
  for (uint k = 0; k < min(order, 8u); ++k) terms[k] = x[t] + float(k);
  x[t] = terms[0];
}
