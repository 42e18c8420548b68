// The test for the end lets one thread too many through.
// missed by lint: `i > n` is right for a buffer with one more element
// grid: 64
// threadgroup: 64
// in 0: float 1..50
// in 1: uint 50
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i > n) return;
  x[i] += 1;  // check: out_of_bounds
}
kernel void fixed(device float* x, constant uint& n, uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  x[i] += 1;
}
