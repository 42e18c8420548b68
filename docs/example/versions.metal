#include <metal_stdlib>
using namespace metal;

kernel void scale(device bfloat* y [[buffer(0)]], constant bfloat& factor [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = y[i] * factor;
}
