// task: saxpy
// class: memory beyond the contract
// caught: check check.out_of_bounds
//
// Indexes a threadgroup array of 32 values by all threads.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup float products[32];
  if (i >= N) return;
  products[t] = a * x[i];
  y[i] += products[t];
}
