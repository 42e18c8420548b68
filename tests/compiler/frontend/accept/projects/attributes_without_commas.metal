// Several attributes, with and without commas.
#include <metal_stdlib>
using namespace metal;
struct Out { float4 first [[color(0) index(0)]]; float4 second [[color(0) index(1)]]; };
struct Mixed { float4 a [[color(1), index(0)]]; float4 b [[color(1)]] [[index(1)]]; };
struct In { float4 position [[position]]; float2 uv [[user(uv) center_no_perspective]]; };
constant bool given [[function_constant(0)]];
struct Vertex { float4 position [[position]] [[invariant]]; half4 tint [[user(tint) flat]]; };
vertex Vertex drawn(device const float4* x [[buffer(0)]], uint i [[vertex_id]]) { return {x[i], half4(1)}; }
fragment Out two(In in [[stage_in]]) { return {float4(in.uv, 0, 1), float4(1)}; }
fragment Mixed mixed(In in [[stage_in]]) { return {in.position, in.position}; }
kernel void buffers(device float* x [[buffer(0) function_constant(given)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (given) y[i] = x[i];
}
