#include <metal_stdlib>
using namespace metal;
kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  y[i] = 2 * x[i];
  if (i == 0) y[n] = 5 / (n - n);
}
