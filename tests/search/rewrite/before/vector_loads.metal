#include <metal_stdlib>
using namespace metal;

kernel void product(device const float* a [[buffer(0)]], device const float* x [[buffer(1)]],
                    device float* y [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  for (uint i = 0; i < n; ++i) sum += a[row * n + i] * x[i];
  for (uint i = 0; i < n; ++i) sum += a[i * n + row];  // not neighbours
  y[row] = sum;
}
