#include <metal_stdlib>
using namespace metal;

float cosine(float x) { return cos(x); }

kernel void wave(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = sin(x[i]) + cosine(x[i]) + precise::exp(x[i]) + floor(x[i]);
}
