// In the manner of networks on phones: texture arrays read with scalars, and offsets in place of options.
#include <metal_stdlib>
using namespace metal;

kernel void softmax(texture2d_array<float, access::sample> in [[texture(0)]],
                    texture2d_array<float, access::write> out [[texture(1)]], uint3 at [[thread_position_in_grid]]) {
  constexpr sampler texels(coord::pixel, filter::nearest, address::clamp_to_edge);
  if (at.x >= out.get_width() || at.y >= out.get_height() || at.z >= out.get_array_size()) return;
  float4 most = -INFINITY;
  for (uint z = 0; z < in.get_array_size(); ++z) most = max(most, in.sample(texels, float2(at.xy), z, 0));
  const float peak = max(max(most.x, most.y), max(most.z, most.w));
  float sum = 0;
  for (uint z = 0; z < in.get_array_size(); ++z) {
    const float4 e = exp(in.sample(texels, float2(at.xy), z, int2(0)) - peak);
    sum += e.x + e.y + e.z + e.w;
  }
  out.write(exp(in.sample(texels, float2(at.xy), at.z) - peak) / sum, at.xy, at.z);
}
