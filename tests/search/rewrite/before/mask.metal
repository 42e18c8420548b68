#include <metal_stdlib>
using namespace metal;

kernel void grid(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  const uint row = i / n;
  const uint column = i % n;
  x[i] = float(row * column / 4);
}
