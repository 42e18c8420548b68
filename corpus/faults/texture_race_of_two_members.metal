// Two members of a struct are one texture: a thread reads what another one writes.
// missed by lint: the struct is filled by a host
// grid: 8
// threadgroup: 8
// in 0: pointer 7 7
// in 7: texture {"format": "r32float", "width": 8, "height": 1, "fill": {"iota": [1, 1]}}
#include <metal_stdlib>
using namespace metal;
struct Images {
  texture2d<float, access::read> from;
  texture2d<float, access::write> to;
};
kernel void faulty(constant Images& images [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const float4 next = images.from.read(uint2((i + 1) % 8, 0));  // check: race
  images.to.write(next, uint2(i, 0));  // check: race
}
kernel void fixed(constant Images& images [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  const float4 mine = images.from.read(uint2(i, 0));
  images.to.write(mine + 1, uint2(i, 0));
}
