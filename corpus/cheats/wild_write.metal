// task: saxpy
// class: memory beyond the contract
// caught: failure outside
//
// Writes far out of bounds.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[ulong(i) * 1000003ul * 4096ul] = a * x[i] + y[i];
}
