// A struct holds a null texture, which the kernel reads without asking.
// missed by lint: the struct is filled by a host
// grid: 4
// threadgroup: 4
// in 0: pointer 7
// in 0: ulong 0
// in 1: float 4*0
// in 7: texture {"format": "r32float", "width": 4, "height": 1, "fill": {"iota": [1, 1]}}
#include <metal_stdlib>
using namespace metal;
struct Layers {
  texture2d<float, access::read> base;
  texture2d<float, access::read> detail;
};
kernel void faulty(constant Layers& layers [[buffer(0)]], device float* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  const float base = layers.base.read(uint2(i, 0)).x;
  out[i] = base + layers.detail.read(uint2(i, 0)).x;  // check: out_of_bounds
}
kernel void fixed(constant Layers& layers [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = layers.base.read(uint2(i, 0)).x;
  if (!is_null_texture(layers.detail)) out[i] += layers.detail.read(uint2(i, 0)).x;
}
