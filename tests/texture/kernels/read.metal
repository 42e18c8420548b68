// Reads of each kind of texture, writes of each kind of component, and atomic operations; a thread
// takes one texel.
#include <metal_stdlib>
using namespace metal;

// at: x, y, z or layer, then the level or the sample.
#define READS(name, Texture, ...)                                                               \
  kernel void name(Texture t [[texture(0)]], device const uint4* at [[buffer(0)]],              \
                   device float4* out [[buffer(1)]], uint i [[thread_position_in_grid]]) {      \
    const uint4 p = at[i];                                                                      \
    out[i] = float4(t.read(__VA_ARGS__));                                                       \
  }
READS(read_1d, texture1d<float>, p.x)
READS(read_1d_array, texture1d_array<float>, p.x, p.z)
READS(read_2d, texture2d<float>, p.xy, p.w)
READS(read_2d_half, texture2d<half>, p.xy, p.w)
READS(read_2d_int, texture2d<int>, p.xy, p.w)
READS(read_2d_uint, texture2d<uint>, p.xy, p.w)
READS(read_2d_short, texture2d<short>, p.xy, p.w)
READS(read_2d_ushort, texture2d<ushort>, ushort2(p.xy), p.w)
READS(read_2d_array, texture2d_array<float>, p.xy, p.z, p.w)
READS(read_3d, texture3d<float>, p.xyz, p.w)
READS(read_cube, texturecube<float>, p.xy, p.z, p.w)
READS(read_cube_array, texturecube_array<float>, p.xy, p.z % 6, p.z / 6, p.w)
READS(read_faces, texturecube_array<float>, uint2(0), p.x, p.y)
READS(read_buffer, texture_buffer<float>, p.x)
READS(read_ms, texture2d_ms<float>, p.xy, p.w)
READS(read_ms_array, texture2d_ms_array<float>, p.xy, p.z, p.w)
READS(read_depth, depth2d<float>, p.xy, p.w)
READS(read_depth_cube, depthcube<float>, p.xy, p.z, p.w)

#define WRITES(name, T)                                                                         \
  kernel void name(texture2d<T, access::write> t [[texture(0)]],                                \
                   device const vec<T, 4>* values [[buffer(0)]],                                \
                   uint2 at [[thread_position_in_grid]]) {                                      \
    t.write(values[at.y * t.get_width() + at.x], at);                                           \
  }
WRITES(write_float, float)
WRITES(write_int, int)
WRITES(write_uint, uint)

kernel void sizes(texture2d_array<float> t [[texture(0)]], texture3d<float> u [[texture(1)]],
                  device uint* out [[buffer(0)]]) {
  out[0] = t.get_width();
  out[1] = t.get_height(1);
  out[2] = t.get_array_size();
  out[3] = t.get_num_mip_levels();
  out[4] = u.get_depth();
  out[5] = u.get_depth(2);
  out[6] = u.get_width(9);
}

// What has no index takes the first that is free; an array takes one for each element.
kernel void unnumbered(texture2d<float> a, array<texture2d<float>, 2> b,
                       texture2d<float> c [[texture(1)]], texture2d<float> d, sampler s,
                       array<sampler, 2> both [[sampler(1)]], device float* out) {
  out[0] = a.read(uint2(0, 0)).x;
  out[1] = b[0].read(uint2(0, 0)).x;
  out[2] = b[1].read(uint2(0, 0)).x;
  out[3] = c.read(uint2(0, 0)).x;
  out[4] = d.read(uint2(0, 0)).x;
  // Outside of the texture, where the samplers differ.
  out[5] = a.sample(s, float2(1.25f, 0)).x;
  out[6] = a.sample(both[0], float2(1.25f, 0)).x;
  out[7] = a.sample(both[1], float2(1.25f, 0)).x;
}

// 64 bits lie in two components.
kernel void keep_least_and_greatest(texture2d<ulong, access::read_write> kept [[texture(0)]],
                                    device const ulong* values [[buffer(0)]],
                                    uint i [[thread_position_in_grid]]) {
  kept.atomic_min(ulong4(values[i]), uint2(0, 0));
  kept.atomic_max(ulong4(values[i]), uint2(1, 0));
  kept.atomic_max(ulong4(values[i]), uint2(4, 0));  // outside
}
kernel void read_wide(texture2d<ulong, access::read> kept [[texture(0)]],
                      device ulong* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = kept.read(uint2(i, 0)).x;
}

kernel void write_everywhere(texture2d_array<float, access::read_write> a [[texture(0)]],
                             texture3d<float, access::write> b [[texture(1)]],
                             array<texture2d<float, access::write>, 2> both [[texture(2)]],
                             texture_buffer<float, access::write> line [[texture(4)]],
                             uint3 at [[thread_position_in_grid]]) {
  const float4 value = float4(float3(at), 1);
  a.write(value, at.xy, at.z, 1);
  a.fence();
  const float4 again = a.read(at.xy, at.z, 1);
  b.write(again, at);
  both[0].write(value, at.xy);
  both[1].write(value * 2, at.yx);
  line.write(value, at.x);
}

kernel void count(texture2d<uint, access::read_write> counts [[texture(0)]],
                  texture2d<int, access::read_write> least [[texture(1)]],
                  texture_buffer<uint, access::read_write> marks [[texture(2)]],
                  device uint* old [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const uint before = counts.atomic_fetch_add(uint2(i % 7, 0), uint4(i, 0, 0, 0)).x;
  old[i] = counts.atomic_fetch_add(uint2(7, 0), uint4(1)).x;
  least.atomic_fetch_min(uint2(0, 0), int4(5 - int(i)));
  least.atomic_fetch_max(uint2(1, 0), int4(int(i) - 5));
  counts.atomic_fetch_add(uint2(100, 0), uint4(before));
  marks.atomic_fetch_or(i / 32, uint4(1u << (i % 32)));
  uint4 expected = uint4(0);
  while (!marks.atomic_compare_exchange_weak(9u, &expected, uint4(expected.x + 2))) {}
  if (i == 0) {
    marks.atomic_store(uint4(7), 8u);
    const uint4 seven = marks.atomic_exchange(8u, uint4(9));
    marks.atomic_fetch_xor(7u, marks.atomic_load(8u) + seven);
  }
}
