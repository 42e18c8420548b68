// language: metal4.0
// Scalars as coordinates and offsets, options in order, and atomic functions of cubes.
#include <metal_stdlib>
using namespace metal;

kernel void f(texture2d_array<half> layers [[texture(0)]], texture2d<float> image [[texture(1)]],
              texture3d<float> deep [[texture(2)]], texturecube<float> cube [[texture(3)]],
              depth2d<float> depth [[texture(4)]], depthcube<float> depths [[texture(5)]],
              texture2d_array<half, access::write> out [[texture(6)]],
              uint3 i [[thread_position_in_grid]]) {
  constexpr sampler s(coord::pixel);
  constexpr sampler nearest;
  constexpr sampler compare(compare_func::less);
  const float2 at = float2(i.xy);
  half4 sum = layers.sample(s, i.x, i.y, i.z) + layers.sample(s, at, i.z, 0) +
              layers.sample(s, at, i.z, level(1), 1) + layers.sample(s, at, 1, {1, 0});
  float4 more = image.sample(s, at, 0) + image.sample(s, at, level(0), int2(1)) +
                image.sample(s, at, gradient2d(at, at), min_lod_clamp(1.0f), 2) + image.sample(s, 1) +
                deep.sample(nearest, 0.5f) + cube.sample(nearest, 1.0f) +
                cube.sample(nearest, float3(at, 1), bias(0.5f), min_lod_clamp(2.0f));
  more += image.gather(s, at, 0) + depth.gather_compare(compare, at, 0.5f, 1);
  more.x += depth.sample(s, at, 1) + depth.sample_compare(compare, at, 0.5f, level(0), 1) +
            depths.sample_compare(compare, float3(at, 1), 0.5f, level(0));
  out.write(sum + half4(more), i.xy, i.z);
}
kernel void count(texturecube<uint, access::read_write> cube [[texture(0)]],
                  texturecube_array<int, access::read_write> cubes [[texture(1)]],
                  texture2d<uint, access::read_write> image [[texture(2)]],
                  uint2 i [[thread_position_in_grid]]) {
  cube.atomic_fetch_add(i, 0, uint4(1));
  cubes.atomic_store(int4(1), i, 0, 1);
  image.atomic_fetch_max(ushort2(i), cube.atomic_load(ushort2(i), 3));
}
kernel void exchange(texturecube<int, access::read_write> cube [[texture(0)]],
                     texturecube_array<uint, access::read_write> cubes [[texture(1)]], device int4* out [[buffer(0)]],
                     uint2 i [[thread_position_in_grid]]) {
  int4 expected = cube.atomic_exchange(i, 2, int4(7));
  const bool is_stored = cube.atomic_compare_exchange_weak(i, 2, &expected, int4(8));
  const uint4 least = cubes.atomic_fetch_min(ushort2(i), 5, 1, uint4(3));
  out[i.x] = is_stored ? expected : int4(least | cubes.atomic_fetch_or(i, 5, 1, uint4(1)));
}
