// task: saxpy
// class: lower precision
// caught: compatible
//
// Multiplies in half precision.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = float(half(a) * half(x[i])) + y[i];
}
