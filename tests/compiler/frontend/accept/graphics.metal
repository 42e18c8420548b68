// Files of kernels may hold shaders for drawing too.
#include <metal_stdlib>
using namespace metal;

struct In {
  float3 position [[attribute(0)]];
  float2 uv [[attribute(1)]];
};
struct Out {
  float4 position [[position]];
  float2 uv [[user(locn0)]];
  float size [[point_size]];
  uint layer [[render_target_array_index]];
};
struct Target {
  half4 color [[color(0)]];
  float depth [[depth(any)]];
};

vertex Out transform(In in [[stage_in]], constant float4x4& m [[buffer(0)]], uint id [[vertex_id]],
                     uint instance [[instance_id]]) {
  Out out;
  out.position = m * float4(in.position, 1);
  out.uv = in.uv + float2(id, instance);
  return out;
}
fragment Target paint(Out in [[stage_in]], texture2d<half> image [[texture(0)]], bool front [[front_facing]],
                      sampler s [[sampler(0)]]) {
  if (!front) discard_fragment();
  return {image.sample(s, in.uv + dfdx(in.uv)), fwidth(in.uv.x)};
}
