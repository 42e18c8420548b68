// In the manner of tensor libraries: strides as an array by reference, which takes one index.
#include <metal_array>
#include <metal_stdlib>
using namespace metal;

kernel void solve_lower(device const float* factors [[buffer(0)]], device float* right [[buffer(1)]],
                        constant uint& rows [[buffer(2)]], constant array<ulong2, 2>& strides [[buffer(3)]],
                        constant array<uint, 3>& batches [[buffer(4)]], constant uint& columns [[buffer(5)]],
                        uint2 at [[thread_position_in_grid]]) {
  if (at.x >= columns || at.y >= batches[0]) return;
  device const float* l = factors + at.y * batches[1];
  device float* x = right + at.y * batches[2] + at.x * strides[1].y;
  for (uint row = 0; row < rows; ++row) {
    float sum = x[row * strides[1].x];
    for (uint k = 0; k < row; ++k)
      sum -= l[row * strides[0].x + k * strides[0].y] * x[k * strides[1].x];
    x[row * strides[1].x] = sum / l[row * strides[0].x + row * strides[0].y];
  }
}
