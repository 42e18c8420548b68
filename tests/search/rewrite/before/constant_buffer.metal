#include <metal_stdlib>
using namespace metal;

float first(device const float* x) { return x[0]; }

kernel void weigh(device const float* weights [[buffer(0)]], device const float* x [[buffer(1)]],
                  device float* y [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = weights[i % 4] * x[i] + first(x);  // a function takes x
}
