#include <metal_stdlib>
using namespace metal;

kernel void ratio(device float* x [[buffer(0)]], constant float& d [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  x[i] = (x[i] + 1.0f) / (d + 1.0f) + 1.0f / d + float(i / 2);
}
