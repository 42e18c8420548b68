// task: saxpy
// class: no kernel
// caught: rule degenerate.no_output
//
// Does nothing, very quickly.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float sum = a * x[i] + y[i];
  (void)sum;
}
