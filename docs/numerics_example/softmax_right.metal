#include <metal_stdlib>
using namespace metal;

// Each thread makes one row of 8 numbers into shares that sum to 1.
kernel void softmax(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                    uint row [[thread_position_in_grid]]) {
  device const float* from = x + 8 * row;
  float largest = from[0];
  for (uint k = 1; k < 8; ++k) largest = max(largest, from[k]);
  float sum = 0;
  for (uint k = 0; k < 8; ++k) sum += exp(from[k] - largest);
  for (uint k = 0; k < 8; ++k) y[8 * row + k] = exp(from[k] - largest) / sum;
}
