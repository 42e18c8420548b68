// Textures of all kinds, samplers, arguments in buffers.
#include <metal_stdlib>
using namespace metal;

constexpr sampler linear(coord::normalized, address::repeat, filter::linear, mip_filter::linear,
                         lod_clamp(0.0f, 4.0f), max_anisotropy(4));
constexpr sampler shadow(coord::normalized, filter::linear, compare_func::less_equal);

struct Resources {
  texture2d<float> albedo [[id(0)]];
  sampler smooth [[id(1)]];
  array<texture2d<half>, 4> layers [[id(2)]];
  device float4* out [[id(6)]];
  depth2d<float, access::sample> depth;
};

kernel void sampled(texture1d<float> t1 [[texture(0)]], texture2d<float, access::sample> t2 [[texture(1)]],
                    texture2d_array<float> t2a [[texture(2)]], texture3d<float> t3 [[texture(3)]],
                    texturecube<half> cube [[texture(4)]], texturecube_array<float> cubes [[texture(5)]],
                    depth2d<float> d2 [[texture(6)]], depth2d_array<float> d2a [[texture(7)]],
                    depthcube<float> dc [[texture(8)]], texture2d_ms<float> ms [[texture(9)]],
                    depth2d_ms<float> dms [[texture(10)]], texture2d<uint> whole [[texture(11)]],
                    sampler s [[sampler(0)]], constant Resources& r [[buffer(0)]],
                    uint2 at [[thread_position_in_grid]]) {
  const float2 uv = float2(at) / float2(t2.get_width(), t2.get_height());
  float4 sum = t1.sample(s, uv.x) + t2.sample(linear, uv) + t2.sample(s, uv, level(1)) +
               t2.sample(s, uv, bias(0.5f), int2(1, 0)) + t2.sample(s, uv, gradient2d(uv, uv)) +
               t2a.sample(s, uv, 3) + t2a.sample(s, uv, at.x, level(0)) + t3.sample(s, float3(uv, 0)) +
               float4(cube.sample(s, float3(uv, 1))) + cubes.sample(s, float3(uv, 1), 2) +
               t3.sample(s, float3(uv, 0), gradient3d(float3(1), float3(2)));
  sum += d2.sample(s, uv) + d2.sample_compare(shadow, uv, 0.5f) + dc.sample(s, float3(uv, 1)) +
         d2a.sample_compare(shadow, uv, 1, 0.5f) + d2a.sample(s, uv, 1, level(2));
  sum += t2.gather(s, uv) + t2.gather(s, uv, int2(0), component::y) + d2.gather(s, uv) +
         d2.gather_compare(shadow, uv, 0.5f) + t2a.gather(s, uv, 1, int2(0), component::w);
  sum += t2.read(at) + t2.read(at, 1) + t2.read(ushort2(at)) + t2a.read(at, 2) + t3.read(uint3(at, 0)) +
         t1.read(at.x) + ms.read(at, 1) + dms.read(at, 1) + d2.read(at) + float4(whole.read(at));
  sum += t2.get_num_mip_levels() + t2a.get_array_size() + t3.get_depth(1) + ms.get_num_samples() +
         t2.calculate_clamped_lod(s, uv);
  sum += r.albedo.sample(r.smooth, uv) + float4(r.layers[at.x].read(at)) + r.depth.sample(s, uv);
  if (!is_null_texture(t2)) r.out[at.x] = sum;
}

kernel void written(texture2d<float, access::write> t2 [[texture(0)]],
                    texture2d_array<half, access::write> t2a [[texture(1)]],
                    texture3d<uint, access::read_write> t3 [[texture(2)]],
                    texture1d<int, access::write> t1 [[texture(3)]],
                    texture_buffer<float, access::read_write> line [[texture(4)]],
                    array<texture2d<float, access::read_write>, 2> both [[texture(5)]],
                    texture2d<uint, access::read_write> counts [[texture(8)]],
                    uint3 at [[thread_position_in_grid]]) {
  t2.write(float4(1), at.xy);
  t2.write(1, ushort2(at.xy), 0);
  t2a.write(half4(1), at.xy, at.z);
  t3.write(t3.read(at) + 1, at);
  t3.fence();
  t1.write(int4(1), at.x);
  line.write(line.read(at.x) * 2, at.x);
  both[1].write(both[0].read(at.xy), at.xy);
  const uint4 old = counts.atomic_fetch_add(at.xy, 1u);
  counts.atomic_store(old, at.xy);
}
