// task: saxpy
// class: no kernel
// caught: rule degenerate.single_thread
//
// The first thread does all the work.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i != 0) return;
  for (uint k = 0; k < N; ++k) y[k] = a * x[k] + y[k];
}
