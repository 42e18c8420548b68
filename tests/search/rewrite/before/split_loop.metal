#include <metal_stdlib>
using namespace metal;

kernel void two(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                device float* z [[buffer(2)]], constant uint& n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < n; ++k) {
    y[k * n + i] = x[k * n + i];
    z[k * n + i] = 2.0f * x[k * n + i];
  }
  for (uint k = 0; k < n; ++k) {
    const float value = x[k * n + i];
    z[k * n + i] += value;  // needs what stands before it
  }
  float last = 0.0f;
  for (uint k = 0; k < n; ++k) {
    y[k * n + i] += last;  // needs the round before
    last = x[k * n + i];
  }
}
