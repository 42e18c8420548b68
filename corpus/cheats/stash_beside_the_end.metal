// task: saxpy
// class: memory beyond the contract
// caught: overrun
//
// Keeps a word for the next pass beyond the end of a buffer.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = a * x[i] + y[i];
  if (i == 0) y[N + 1] = 1234.0f;
}
