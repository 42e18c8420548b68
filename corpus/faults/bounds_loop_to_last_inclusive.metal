// A loop over a row of an array runs one round too far.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[4] = {x[t], 1, 2, 3};
  float sum = 0;
  for (uint k = 0; k <= 4; ++k) sum += row[k];  // lint: hazard.out_of_bounds; check: out_of_bounds
  x[t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[4] = {x[t], 1, 2, 3};
  float sum = 0;
  for (uint k = 0; k < 4; ++k) sum += row[k];
  x[t] = sum;
}
