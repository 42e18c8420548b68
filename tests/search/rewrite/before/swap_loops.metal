#include <metal_stdlib>
using namespace metal;

kernel void box(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) {
      sum += x[i + dy * n + dx];
    }
  }
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < dy; ++dx) sum -= x[i + dx];  // the inner loop needs the outer one
  y[i] = sum;
}
