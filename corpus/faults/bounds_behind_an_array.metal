// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[4] = {x[t], 1, 2, 3};
  x[t] = row[4];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float row[4] = {x[t], 1, 2, 3};
  x[t] = row[3];
}
