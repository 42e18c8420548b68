#include <metal_stdlib>
using namespace metal;

kernel void product(device const float* a [[buffer(0)]], device const float* x [[buffer(1)]],
                    device float* y [[buffer(2)]], constant uint& n [[buffer(3)]],
                    uint row [[thread_position_in_grid]]) {
  float sum = 0.0f;
  {
    uint i = 0;
    for (; i + 3 < n; i += 4) {
      const float4 wide_0 = float4(*(device const packed_float4*)&a[row * n + i]);
      const float4 wide_1 = float4(*(device const packed_float4*)&x[i]);
      { sum += wide_0.x * wide_1.x; }
      { sum += wide_0.y * wide_1.y; }
      { sum += wide_0.z * wide_1.z; }
      { sum += wide_0.w * wide_1.w; }
    }
    for (; i < n; ++i) sum += a[row * n + i] * x[i];
  }
  for (uint i = 0; i < n; ++i) sum += a[i * n + row];  // not neighbours
  y[row] = sum;
}
