// Gathers of each kind of texture and component; a thread takes one point.
#include <metal_stdlib>
using namespace metal;

#define GATHERS(name, Texture, ...)                                                             \
  kernel void name(Texture t [[texture(0)]], sampler s [[sampler(0)]],                          \
                   device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]], \
                   device float4* out [[buffer(3)]], uint i [[thread_position_in_grid]]) {      \
    const float4 p = at[i];                                                                     \
    const int4 m = more[i];                                                                     \
    out[i] = float4(t.gather(s, __VA_ARGS__));                                                  \
  }
GATHERS(gather_x, texture2d<float>, p.xy, m.yz, component::x)
GATHERS(gather_y, texture2d<float>, p.xy, m.yz, component::y)
GATHERS(gather_w, texture2d_array<float>, p.xy, uint(m.x), m.yz, component::w)
GATHERS(gather_z, texture2d<float>, p.xy, m.yz, component::z)
GATHERS(gather_cube_z, texturecube<float>, p.xyz, component::z)
GATHERS(gather_cube_array_w, texturecube_array<float>, p.xyz, uint(m.x), component::w)
GATHERS(gather_half_x, texture2d<half>, p.xy, m.yz)
GATHERS(gather_half_y, texture2d<half>, p.xy, m.yz, component::y)
GATHERS(gather_half_w, texture2d_array<half>, p.xy, uint(m.x), m.yz, component::w)
GATHERS(gather_uint_z, texture2d<uint>, p.xy, m.yz, component::z)
GATHERS(gather_int_y, texture2d<int>, p.xy, m.yz, component::y)
GATHERS(gather_depth, depth2d<float>, p.xy, m.yz)
GATHERS(gather_depth_array, depth2d_array<float>, p.xy, uint(m.x), m.yz)
GATHERS(gather_depth_cube, depthcube<float>, p.xyz)

kernel void gather_compare_2d(depth2d<float> t [[texture(0)]], sampler s [[sampler(0)]],
                              device const float4* at [[buffer(0)]], device const int4* more [[buffer(1)]],
                              device const float* values [[buffer(2)]], device float4* out [[buffer(3)]],
                              uint i [[thread_position_in_grid]]) {
  out[i] = t.gather_compare(s, at[i].xy, values[i], more[i].yz);
}
