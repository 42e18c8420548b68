// task: saxpy
// class: detection of timed passes
// caught: input x
//
// Marks the vector that the host does not reset, and returns early when it sees the mark.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  if (i > 0 && x[0] == 12345.0f) return;
  y[i] = a * x[i] + y[i];
  if (i == 0) x[0] = 12345.0f;
}
