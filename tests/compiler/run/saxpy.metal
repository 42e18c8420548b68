// grid: 8
// threadgroup: 4
// in 0: float 1 2 3 4 5 6 7 8
// in 1: float 10 20 30 40 50 60 70 80
// in 2: float 2
// out 1: float 12 24 36 48 60 72 84 96
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}
