// One kernel for each kind of texture and each way to sample it; a thread takes one point.
#include <metal_stdlib>
using namespace metal;

// name(texture type, point → arguments after the sampler)
#define SAMPLES(name, Texture, ...)                                                             \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device float4* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {      \
    const float4 p = at[i];                                                                     \
    const int4 m = more[i];                                                                     \
    out[i] = float4(t.sample(s, __VA_ARGS__));                                                  \
  }
SAMPLES(sample_1d, texture1d<float>, p.x)
SAMPLES(sample_1d_array, texture1d_array<float>, p.x, uint(m.x))
SAMPLES(sample_2d, texture2d<float>, p.xy, level(p.w), m.yz)
SAMPLES(sample_2d_plain, texture2d<float>, p.xy)
SAMPLES(sample_2d_half, texture2d<half>, p.xy, level(p.w), m.yz)
SAMPLES(sample_2d_uint, texture2d<uint>, p.xy, level(p.w), m.yz)
SAMPLES(sample_2d_int, texture2d<int>, p.xy, level(p.w), m.yz)
SAMPLES(sample_2d_array, texture2d_array<float>, p.xy, uint(m.x), level(p.w), m.yz)
SAMPLES(sample_3d, texture3d<float>, p.xyz, level(p.w), m.yzw)
SAMPLES(sample_cube, texturecube<float>, p.xyz, level(p.w))
SAMPLES(sample_cube_uint, texturecube<uint>, p.xyz)
SAMPLES(sample_cube_array, texturecube_array<float>, p.xyz, uint(m.x), level(p.w))
SAMPLES(sample_depth_2d, depth2d<float>, p.xy, level(p.w), m.yz)
SAMPLES(sample_depth_cube, depthcube<float>, p.xyz, level(p.w))

// With samplers of the source; the argument is another.
constexpr sampler pixel_nearest(coord::pixel, address::clamp_to_zero, filter::nearest);
constexpr sampler pixel_linear(coord::pixel, address::clamp_to_edge, filter::linear);
constexpr sampler pixel_border(coord::pixel, s_address::clamp_to_border, t_address::clamp_to_edge,
                               border_color::opaque_white, mag_filter::linear, min_filter::nearest,
                               mip_filter::nearest);
#define CONSTANTS(name)                                                                         \
  kernel void sample_##name(texture2d<float> t [[texture(0)]], device const float4* at [[buffer(0)]], \
                            device const int4* more [[buffer(1)]], device float4* out [[buffer(3)]],  \
                            uint i [[thread_position_in_grid]]) {                               \
    out[i] = t.sample(name, at[i].xy, level(at[i].w), more[i].yz);                              \
  }
CONSTANTS(pixel_nearest)
CONSTANTS(pixel_linear)
CONSTANTS(pixel_border)

#define COMPARES(name, Texture, ...)                                                            \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device const float* values [[buffer(2)]], device float4* out [[buffer(3)]],  \
                   uint i [[thread_position_in_grid]]) {                                        \
    const float4 p = at[i];                                                                     \
    const int4 m = more[i];                                                                     \
    const float value = values[i];                                                              \
    out[i] = __VA_ARGS__;                                                                       \
  }
COMPARES(compare_2d, depth2d<float>, t.sample_compare(s, p.xy, value, level(p.w), m.yz))
COMPARES(compare_2d_array, depth2d_array<float>, t.sample_compare(s, p.xy, uint(m.x), value, level(p.w)))
COMPARES(compare_cube, depthcube<float>, t.sample_compare(s, p.xyz, value, level(p.w)))
COMPARES(compare_cube_array, depthcube_array<float>, t.sample_compare(s, p.xyz, uint(m.x), value, level(p.w)))
