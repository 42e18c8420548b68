// Structs in device memory that hold textures and samplers: members, arrays, nested structs, tables.
#include <metal_stdlib>
using namespace metal;

struct Material {
  texture2d<float> image [[id(0)]];
  sampler smooth [[id(1)]];
  device const float* factors [[id(2)]];
  float offset [[id(3)]];
};

// The place between two columns, of the rows 1 2 and 3 4.
// kernel: sampled
// grid: 2
// threadgroup: 2
// in 0: pointer 10
// in 0: sampler {"filter": "linear", "coord": "pixel"}
// in 0: pointer 11
// in 0: float 0.5 0
// in 10: texture {"format": "r32float", "width": 2, "height": 2, "fill": {"iota": [1, 1]}}
// in 11: float 10 100
// out 1: float 15.5 350.5
kernel void sampled(constant Material& material [[buffer(0)]], device float* out [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
  const float texel = material.image.sample(material.smooth, float2(1, i + 0.5f)).x;
  out[i] = texel * material.factors[i] + material.offset;
}

// A table, of which each thread takes an element as a whole: the second one has another filter.
// kernel: bindless
// grid: 4
// threadgroup: 4
// in 0: pointer 10
// in 0: sampler {"filter": "linear", "coord": "pixel"}
// in 0: pointer 12
// in 0: float 0 0
// in 0: pointer 11
// in 0: sampler {"filter": "nearest", "coord": "pixel"}
// in 0: pointer 12+4
// in 0: float 7 0
// in 1: uint 1 0 0 1
// in 10: texture {"format": "r32float", "width": 2, "height": 1, "fill": {"iota": [1, 1]}}
// in 11: texture {"format": "r8unorm", "width": 4, "height": 1, "fill": {"constant": 1}}
// in 12: float 10 20
// out 2: float 27 15 15 27
kernel void bindless(device const Material* materials [[buffer(0)]],
                     device const uint* which [[buffer(1)]], device float* out [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  const Material mine = materials[which[i]];
  const float texel = mine.image.sample(mine.smooth, float2(1, 0.5f)).x;
  out[i] = texel * mine.factors[0] + mine.offset;
}

// Textures of several kinds, written and read, in a nested struct behind a pointer.
struct Images {
  texture2d<uint, access::read> from;
  texture2d<uint, access::write> to;
};
struct Volume {
  texture3d<half, access::read_write> cells;
  texture2d_array<int, access::read> layers;
};
struct Scene {
  uint first;
  Images images;
  device const Volume* volume;
};

// kernel: nested
// grid: 4
// threadgroup: 2
// in 0: uint 100 0
// in 0: pointer 20 21 22
// in 20: texture {"format": "r8uint", "width": 4, "height": 1, "fill": {"iota": [1, 1]}}
// in 21: texture {"format": "r16uint", "width": 4, "height": 1}
// in 22: pointer 23 24
// in 23: texture {"kind": "3d", "format": "r16float", "width": 1, "height": 1, "depth": 4, "fill": {"iota": [20, 10]}}
// in 24: texture {"kind": "2d_array", "format": "r32sint", "width": 1, "height": 1, "array_length": 4, "fill": {"iota": [-1, -1]}}
// out 21: texture {"format": "r16uint", "width": 4, "height": 1, "fill": {"iota": [101, 1]}}
// out 23: texture {"kind": "3d", "format": "r16float", "width": 1, "height": 1, "depth": 4, "fill": {"iota": [19, 9]}}
kernel void nested(constant Scene& scene [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  scene.images.to.write(scene.first + scene.images.from.read(uint2(i, 0)), uint2(i, 0));
  const auto cells = scene.volume->cells;
  const half sum = cells.read(uint3(0, 0, i)).x + half(scene.volume->layers.read(uint2(0), i).x);
  cells.write(sum, uint3(0, 0, i));
}

// Arrays of textures and samplers, whose elements each thread chooses.
struct Atlas {
  array<texture2d<float>, 3> pages;
  sampler samplers[2];
  texture_buffer<uint> more[2];
};

// kernel: chosen
// grid: 6
// threadgroup: 6
// in 0: pointer 30 31 32
// in 0: sampler {"coord": "pixel"}
// in 0: sampler {"coord": "pixel", "address": "clamp_to_border", "border_color": "opaque_white"}
// in 0: pointer 33 34
// in 1: uint 0 1 2 2 1 0
// in 30: texture {"format": "rgba32float", "width": 1, "height": 1, "fill": {"constant": 10}}
// in 31: texture {"format": "rgba32float", "width": 1, "height": 1, "fill": {"constant": 20}}
// in 32: texture {"format": "rgba32float", "width": 1, "height": 1, "fill": {"constant": 30}}
// in 33: texture {"kind": "buffer", "format": "r32uint", "width": 3, "fill": {"iota": [100, 100]}}
// in 34: texture {"kind": "buffer", "format": "r32uint", "width": 3, "fill": {"iota": [1000, 1000]}}
// out 2: float 110 1001 230 2001 320 3001
kernel void chosen(constant Atlas& atlas [[buffer(0)]], device const uint* which [[buffer(1)]],
                   device float* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const float texel = atlas.pages[which[i]].sample(atlas.samplers[i % 2], float2(-1)).x;
  out[i] = texel + float(atlas.more[i % 2].read(i / 2).x);
}

// A list of structs with one texture.
// kernel: listed
// grid: 3
// threadgroup: 3
// in 0: pointer 40 41
// in 1: uint 1 0 1
// in 40: texture {"kind": "1d", "format": "r32uint", "width": 3, "fill": {"iota": [1, 1]}}
// in 41: texture {"kind": "1d", "format": "r32uint", "width": 3, "fill": {"iota": [11, 1]}}
// out 2: uint 11 2 13
struct Listed {
  texture1d<uint> texture;
};

kernel void listed(device const Listed* list [[buffer(0)]],
                   device const uint* which [[buffer(1)]], device uint* out [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = list[which[i]].texture.read(i).x;
}

struct Maybe {
  texture2d<float> there;
  texture2d<float> missing;
};

// A null texture, and a size.
// kernel: null_textures
// grid: 1
// threadgroup: 1
// in 0: pointer 50
// in 0: ulong 0
// in 50: texture {"format": "r8unorm", "width": 5, "height": 3}
// out 1: uint 0 1 5 3
kernel void null_textures(constant Maybe& all [[buffer(0)]], device uint* out [[buffer(1)]]) {
  out[0] = is_null_texture(all.there);
  out[1] = is_null_texture(all.missing);
  out[2] = all.there.get_width();
  out[3] = all.there.get_height();
}

struct Depths {
  depth2d<float> depth;
  sampler compare;
};

// kernel: compared
// grid: 1
// threadgroup: 1
// in 0: pointer 60
// in 0: sampler {"compare_func": "less", "coord": "pixel"}
// in 60: texture {"format": "depth32float", "width": 2, "height": 1, "fill": {"iota": [0.25, 0.5]}}
// out 1: float 0 1
kernel void compared(constant Depths& depths [[buffer(0)]], device float* out [[buffer(1)]]) {
  out[0] = depths.depth.sample_compare(depths.compare, float2(0.5f), 0.5f);
  out[1] = depths.depth.sample_compare(depths.compare, float2(1.5f, 0.5f), 0.5f);
}

// Atomic operations on a texture that a member names twice.
struct Counts {
  texture2d<uint, access::read_write> bins;
  texture2d<uint, access::read_write> same;
};

// kernel: counted
// grid: 8
// threadgroup: 4
// in 0: pointer 70 70
// in 70: texture {"format": "r32uint", "width": 2, "height": 1, "fill": {"constant": 1}}
// out 70: texture {"format": "r32uint", "width": 2, "height": 1, "fill": {"constant": 5}}
kernel void counted(constant Counts& counts [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i % 2)
    counts.bins.atomic_fetch_add(uint2(i / 2 % 2, 0), uint4(2, 0, 0, 0));
  else
    counts.same.atomic_fetch_add(uint2(i / 2 % 2, 0), uint4(0));
}
