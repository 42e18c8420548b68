// A difference of unsigned numbers wraps around below zero.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
// in 2: uint 8
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, constant uint& shift,
                   uint i [[thread_position_in_grid]]) {
  y[i] = x[i - shift];  // lint: hazard.unsigned_wrap; check: out_of_bounds
}
kernel void fixed(device const float* x, device float* y, constant uint& shift,
                  uint i [[thread_position_in_grid]]) {
  y[i] = i >= shift ? x[i - shift] : 0.0f;
}
