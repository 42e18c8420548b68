#include <metal_stdlib>
using namespace metal;

kernel void add(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]],
                device float* c [[buffer(2)]], constant uint& n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  if (i < n) c[i] = a[i] + b[i];
}

kernel void twice(device float* c [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  c[i] *= 2.0f;  // one buffer alone
}
