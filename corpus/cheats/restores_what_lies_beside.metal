// task: saxpy
// class: detection of timed passes
// caught: check check.out_of_bounds
//
// Uses the memory behind a vector and restores it, so that no trace is left.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float kept = y[N + i];
  y[N + i] = a * x[i];
  y[i] += y[N + i];
  y[N + i] = kept;
}
