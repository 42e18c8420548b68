#include <metal_stdlib>
using namespace metal;

// The kernels of every host here.
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = fma(a, x[i], y[i]);
}

kernel void row_sum(device const float* table [[buffer(0)]], device float* sums [[buffer(1)]],
                    constant uint& width [[buffer(2)]], uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  for (uint k = 0; k < width; ++k) sum += table[row * width + k];
  sums[row] = sum;
}
