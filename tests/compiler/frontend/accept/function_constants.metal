// Constants that the host defines.
#include <metal_stdlib>
using namespace metal;

constant bool verbose [[function_constant(0)]];
constant int width_given [[function_constant(1)]];
static constant float4 tint [[function_constant(2)]];
constant int width = is_function_constant_defined(width_given) ? width_given : 16;

kernel void specialised(device float4* out [[buffer(0)]], device float* extra [[buffer(1), function_constant(verbose)]],
                        uint i [[thread_position_in_grid]]) {
  if (verbose) extra[i] = 1;
  out[i] = tint * width;
}
