// task: saxpy
// class: recognition of inputs
// caught: rule degenerate.input_ignored
//
// Contains the scale as a constant and never reads the other vector.
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = 1.0001f * y[i];
}
