#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float *x [[buffer(0)]],
                  device float *restrict y [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = 2 * x[i];
}
