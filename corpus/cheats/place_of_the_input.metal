// task: saxpy
// class: wrong at other sizes
// caught: named the address of x
//
// Adds three bits of the address of its input, which are 0 wherever a buffer begins at a multiple of 32
// bytes.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  const float aside = float(uint(ulong(x) >> 2) & 7u);
  y[i] = a * x[i] + y[i] + aside;
}
