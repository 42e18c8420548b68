// Arguments of one index: under function constants of which one is set, and arrays in one buffer.
#include <metal_stdlib>
using namespace metal;

constant bool flat_source [[function_constant(0)]];
constant bool layered_source [[function_constant(1)]];
constant int kind [[function_constant(2)]];
constant bool other_source = !flat_source && !layered_source;
constant bool halves = kind == 1;
constant bool floats = !halves;

kernel void copy(texture2d<float> flat [[texture(0), function_constant(flat_source)]],
                 texture2d_array<float> layers [[function_constant(layered_source), texture(0)]],
                 texture3d<float> deep [[texture(0) function_constant(other_source)]],
                 device float* words [[buffer(0), function_constant(floats)]],
                 device half* shorts [[buffer(0), function_constant(halves)]],
                 constant array<ulong2, 3>& sizes [[buffer(3)]], constant uint& count [[buffer(4)]],
                 const device array<float4, 2>* rows [[buffer(5)]], device float* sum [[buffer(6)]],
                 array<texture2d<float>, 2> images [[texture(1)]],
                 texture2d<float> last [[texture(3)]], uint i [[thread_position_in_grid]]) {
  float4 texel = images[0].read(uint2(i)) + last.read(uint2(i));
  if (flat_source) texel += flat.read(uint2(i));
  if (layered_source) texel += layers.read(uint2(i), 0);
  if (other_source) texel += deep.read(uint3(i));
  if (floats) words[i] = texel.x;
  if (halves) shorts[i] = half(texel.x);
  sum[i] = float(sizes[1].x) + count + rows[i][1].y;
}
