// A host puts a buffer where the struct has a texture: what the kernel takes for the texture's size
// leads outside of it.
// missed by lint: the struct is filled by a host
// grid: 4
// threadgroup: 4
// in 0: pointer 8 7
// in 1: float 4*0
// in 7: texture {"format": "r32float", "width": 4, "height": 1, "fill": {"iota": [1, 1]}}
// in 8: float 40*1
#include <metal_stdlib>
using namespace metal;
struct Swapped {
  texture2d<float, access::read> image;
  device const float* numbers;
};
struct Right {
  device const float* numbers;
  texture2d<float, access::read> image;
};
kernel void faulty(constant Swapped& members [[buffer(0)]], device float* out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = members.image.read(uint2(64 + i, 0)).x;  // check: out_of_bounds
}
kernel void fixed(constant Right& members [[buffer(0)]], device float* out [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  out[i] = members.image.read(uint2(64 + i, 0)).x + members.numbers[i];
}
