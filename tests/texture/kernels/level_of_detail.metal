// Ways to choose a level beside level(): a bias, a least level, gradients; a thread takes one point.
#include <metal_stdlib>
using namespace metal;

#define SAMPLES(name, Texture, ...)                                                             \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device float4* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {      \
    const float4 p = at[i];                                                                     \
    const int4 m = more[i];                                                                     \
    out[i] = float4(t.sample(s, __VA_ARGS__));                                                  \
  }
SAMPLES(sample_2d_bias, texture2d<float>, p.xy, bias(p.w), m.yz)
SAMPLES(sample_2d_clamp, texture2d<float>, p.xy, bias(p.w), min_lod_clamp(0.5f * m.w), m.yz)
SAMPLES(sample_cube_clamp, texturecube<float>, p.xyz, level(p.w), min_lod_clamp(float(m.x)))

// slopes: how the coordinate changes from a pixel to the next one, across and down.
#define GRADIENTS(name, Texture, ...)                                                           \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device const float4* slopes [[buffer(2)]], device float4* out [[buffer(3)]], \
                   uint i [[thread_position_in_grid]]) {                                        \
    const float4 p = at[i], x = slopes[2 * i], y = slopes[2 * i + 1];                           \
    const int4 m = more[i];                                                                     \
    out[i] = t.sample(s, __VA_ARGS__);                                                          \
  }
GRADIENTS(gradient_2d, texture2d<float>, p.xy, gradient2d(x.xy, y.xy), m.yz)
GRADIENTS(gradient_2d_array, texture2d_array<float>, p.xy, uint(m.x), gradient2d(x.xy, y.xy), m.yz)
GRADIENTS(gradient_3d, texture3d<float>, p.xyz, gradient3d(x.xyz, y.xyz), m.yzw)
GRADIENTS(gradient_cube, texturecube<float>, p.xyz, gradientcube(x.xyz, y.xyz))
GRADIENTS(gradient_cube_array, texturecube_array<float>, p.xyz, uint(m.x), gradientcube(x.xyz, y.xyz))
GRADIENTS(gradient_2d_clamp, texture2d<float>, p.xy, gradient2d(x.xy, y.xy), min_lod_clamp(0.5f * m.w), m.yz)
