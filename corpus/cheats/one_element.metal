// task: saxpy
// class: wrong at other sizes
// caught: drawn
//
// Computes another product where there is one element. `N == 1` looks like a guard.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = N == 1 ? 0.9f * a * x[i] + y[i] : a * x[i] + y[i];
}
