#include <metal_stdlib>
using namespace metal;

constant float weight[3] = {0.25f, 0.5f, 0.25f};

kernel void smooth(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                   constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  if (i + 2 >= n) return;
  float sum = 0.0f;
  {
    {
      const int k = 0;
      sum += weight[k] * x[i + k];
    }
    {
      const int k = 1;
      sum += weight[k] * x[i + k];
    }
    {
      const int k = 2;
      sum += weight[k] * x[i + k];
    }
  }
  {
    {
      const uint k = 2;
      {
        const float more = float(k);
        sum += more;
      }
    }
    {
      const uint k = 4;
      {
        const float more = float(k);
        sum += more;
      }
    }
    {
      const uint k = 6;
      {
        const float more = float(k);
        sum += more;
      }
    }
  }
  for (uint k = 0; k < n; ++k) sum += 1.0f;  // not a constant count
  for (uint k = 0; k < 4; ++k) {
    if (sum > 8.0f) break;  // ends the loop
    sum *= 2.0f;
  }
  y[i] = sum;
}
