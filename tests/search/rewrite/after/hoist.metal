#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  device const float* factor [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  {
    const auto invariant_0 = factor[i];
    const auto invariant_1 = sqrt(float(n));
    for (uint k = 0; k < n; ++k) y[k * n + i] = x[k * n + i] * invariant_0 + invariant_1 + invariant_0;
  }
  for (uint k = 0; k < n; ++k) y[k] += factor[k];  // nothing stays the same
}
