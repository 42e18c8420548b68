// gap: function constant
#include <metal_stdlib>
using namespace metal;

constant uint width [[function_constant(0)]];

kernel void fill(device uint* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = width;
}
