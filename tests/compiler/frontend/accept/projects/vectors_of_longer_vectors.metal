// A vector of the first elements of a longer one.
#include <metal_stdlib>
using namespace metal;
float3 colour(float4 v) { return metal::float3(v); }
template <typename T> half2 narrowed(T v) { return half2(v); }
struct Light { float3 at; Light(float4 v) : at(float3(v)) {} };
constant float2 origin = float2(float4(1, 2, 3, 4));
kernel void all(device float4* x, device int3* y, device uint4* z, uint i [[thread_position_in_grid]]) {
  x[i].xyz = colour(x[i]) + Light(x[i]).at + float3(z[i]);
  y[i].xy = int2(y[i]) + int2(x[i]);
  x[i].xy = float2(narrowed(half4(x[i]))) + origin;
}
