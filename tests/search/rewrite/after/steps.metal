#include <metal_stdlib>
using namespace metal;

kernel void sum_rows(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                     constant uint& n [[buffer(2)]], uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  {
    uint i = 0;
    for (; i + 3 < n; i += 4) {
      {
        const float value = x[i * n + row];
        sum += value * value;
      }
      {
        const float value = x[(i + 1) * n + row];
        sum += value * value;
      }
      {
        const float value = x[(i + 2) * n + row];
        sum += value * value;
      }
      {
        const float value = x[(i + 3) * n + row];
        sum += value * value;
      }
    }
    for (; i < n; ++i) {
      const float value = x[i * n + row];
      sum += value * value;
    }
  }
  for (uint i = 0; i < n; ++i)
    if (sum < 0.0f) return;  // leaves the loop
  y[row] = sum;
}
