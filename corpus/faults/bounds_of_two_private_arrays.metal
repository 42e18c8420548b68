// A pointer leads to one of two arrays, and the index fits the longer one only.
// missed by lint: a pointer that may lead to several arrays is not followed
// grid: 8
// threadgroup: 8
// in 0: uint 0..7
// out 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float few[4] = {1, 2, 3, 4};
  float many[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  thread float* from = n[i] % 2 ? few : many;
  y[i] = from[n[i]];  // check: out_of_bounds
}
kernel void fixed(device const uint* n, device float* y, uint i [[thread_position_in_grid]]) {
  float few[4] = {1, 2, 3, 4};
  float many[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  thread float* from = n[i] % 2 ? few : many;
  y[i] = from[n[i] % 2 ? n[i] % 4 : n[i]];
}
