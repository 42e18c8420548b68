// Arguments of one index under constants of which one is true.
#include <metal_stdlib>
using namespace metal;
constant bool is_half [[function_constant(0)]];
constant int kind [[function_constant(1)]];
constant bool is_float = !is_half;
constant bool is_first = kind == 0;
constant bool is_second = kind == 1;
constant bool is_third = kind > 1;
kernel void values(device const float* wide [[buffer(0), function_constant(is_float)]],
                   device const half* narrow [[buffer(0), function_constant(is_half)]], device float* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = is_half ? float(narrow[i]) : wide[i];
}
kernel void images(texture2d<float> a [[texture(0), function_constant(is_first)]], texture3d<float> b [[texture(0), function_constant(is_second)]],
                   texturecube<float> c [[texture(0), function_constant(is_third)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (is_first) out[i] = a.read(uint2(i, 0)).x;
  if (is_second) out[i] = b.read(uint3(i, 0, 0)).x;
  if (is_third) out[i] = c.read(uint2(i, 0), 0).x;
}
kernel void samplers(texture2d<float> a [[texture(0)]], sampler s [[sampler(0), function_constant(is_first)]],
                     sampler t [[sampler(0), function_constant(is_second)]], device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = 0;
  if (is_first) out[i] = a.sample(s, float2(i)).x;
  if (is_second) out[i] = a.sample(t, float2(i)).x;
}
kernel void lists(constant float4x4& m [[buffer(2), function_constant(is_half)]], constant float* v [[buffer(2), function_constant(is_float)]],
                  device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = is_half ? m[0][0] : v[i];
}
fragment float4 shade(texture2d<float> flat [[texture(1), function_constant(is_first)]], texture2d_array<float> layers [[texture(1), function_constant(is_second)]]) {
  return is_first ? flat.read(uint2(0)) : is_second ? layers.read(uint2(0), 0) : float4(0);
}
