// A constant index of the second dimension lies in the next row.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float rows[2][3] = {{x[t], 1, 2}, {3, 4, 5}};
  x[t] = rows[0][3];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float rows[2][3] = {{x[t], 1, 2}, {3, 4, 5}};
  x[t] = rows[1][0];
}
