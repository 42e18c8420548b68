#include <metal_stdlib>
using namespace metal;

kernel void powers(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  float value = x[i];
  for (int k = 0; k < 4; ++k) value *= value;
  for (uint k = 0; k < n; ++k) {
    value += 1.0f;
  }
  while (value > 10.0f) value /= 2.0f;  // does not count
  x[i] = value;
}
