// For the checked mode: kernels without faults, and one whose threads write the same texel.
#include <metal_stdlib>
using namespace metal;

kernel void halves(texture2d<float> from [[texture(0)]],
                   texture2d<float, access::write> to [[texture(1)]], sampler s [[sampler(0)]],
                   uint2 at [[thread_position_in_grid]]) {
  const float2 size = float2(to.get_width(), to.get_height());
  to.write(from.sample(s, (float2(at) + 0.5f) / size) * 0.5f, at);
}

kernel void collides(texture2d<float, access::write> image [[texture(0)]],
                     uint2 at [[thread_position_in_grid]]) {
  image.write(float4(float(at.x)), uint2(0, at.y));
}

kernel void mirrors_in_place(texture2d<float, access::read_write> image [[texture(0)]],
                             uint2 at [[thread_position_in_grid]]) {
  const float4 before = image.read(uint2(image.get_width() - 1 - at.x, at.y));
  threadgroup_barrier(mem_flags::mem_texture);
  image.write(before, at);
}
