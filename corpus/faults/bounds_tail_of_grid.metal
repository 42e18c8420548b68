// The grid is rounded up, and the last threads have no element.
// missed by lint: a missing test is a note (hazard.missing_guard), since a host may dispatch an exact grid
// grid: 128
// threadgroup: 64
// in 0: float 1..100
// in 1: uint 100
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  x[i] *= 2 * float(n);  // check: out_of_bounds
}
kernel void fixed(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] *= 2 * float(n);
}
