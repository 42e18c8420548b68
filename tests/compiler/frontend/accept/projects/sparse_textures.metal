// Sparse textures of all kinds.
#include <metal_stdlib>
using namespace metal;
constexpr sampler smooth(filter::linear);
kernel void all(texture2d<float> a [[texture(0)]], texture2d_array<half> b [[texture(1)]], texture3d<float> c [[texture(2)]], texturecube<float> d [[texture(3)]],
                depth2d<float> e [[texture(4)]], device float4* out, uint2 at [[thread_position_in_grid]]) {
  const sparse_color<float4> first = a.sparse_sample(smooth, float2(at));
  if (first.resident()) out[0] = first.value();
  const auto second = b.sparse_read(at, 1);
  out[1] = second.resident() ? float4(second.value()) : 0.0f;
  sparse_color<float4> third = c.sparse_sample(smooth, float3(0.5f), level(1));
  out[2] = third.value() + d.sparse_sample(smooth, float3(1)).value();
  const sparse_color<float> fourth = e.sparse_sample_compare(smooth, float2(0.5f), 0.5f);
  out[3] = fourth.value() + a.sparse_gather(smooth, float2(0.5f)).value();
}
