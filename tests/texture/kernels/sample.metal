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
SAMPLES(sample_cube_array, texturecube_array<float>, p.xyz, uint(m.x), level(p.w))
SAMPLES(sample_depth_2d, depth2d<float>, p.xy, level(p.w), m.yz)
SAMPLES(sample_depth_cube, depthcube<float>, p.xyz, level(p.w))

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
COMPARES(gather_compare_2d, depth2d<float>, t.gather_compare(s, p.xy, value, m.yz))

#define GATHERS(name, Texture, ...)                                                             \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device float4* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {      \
    const float4 p = at[i];                                                                     \
    const int4 m = more[i];                                                                     \
    out[i] = t.gather(s, __VA_ARGS__);                                                          \
  }
GATHERS(gather_x, texture2d<float>, p.xy, m.yz, component::x)
GATHERS(gather_y, texture2d<float>, p.xy, m.yz, component::y)
GATHERS(gather_w, texture2d_array<float>, p.xy, uint(m.x), m.yz, component::w)
GATHERS(gather_cube, texturecube<float>, p.xyz, component::z)
GATHERS(gather_depth, depth2d<float>, p.xy, m.yz)
