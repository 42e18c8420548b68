// task: saxpy
// class: missing guard
// caught: strict error
//
// Threads beyond the end update the last element again.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint index [[thread_position_in_grid]]) {
  const uint i = min(index, N - 1);
  y[i] = a * x[i] + y[i];
}
