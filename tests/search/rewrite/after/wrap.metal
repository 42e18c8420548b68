#include <metal_stdlib>
using namespace metal;

uint wrapped(uint x, uint n) {
  x = x < n ? x : x - n;
  return x < n ? x : x - n;
}

kernel void ring(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                 constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint left = wrapped((i + n - 1), n);
  const uint right = wrapped((i + 1), n);
  y[i] = x[left] + x[right] + float(i % 4) + float(int(i) % 3);
}
