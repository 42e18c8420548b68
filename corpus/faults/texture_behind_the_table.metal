// An index selects a texture behind the last one of a table.
// missed by lint: the index is in memory
// grid: 4
// threadgroup: 4
// in 0: pointer 7 7
// in 1: uint 0 1 2 1
// in 2: float 4*0
// in 7: texture {"format": "r32float", "width": 4, "height": 1, "fill": {"iota": [1, 1]}}
#include <metal_stdlib>
using namespace metal;
struct Table {
  array<texture2d<float>, 2> images;
};
kernel void faulty(device const Table& table [[buffer(0)]], device const uint* which [[buffer(1)]],
                   device float* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = table.images[which[i]].read(uint2(i, 0)).x;  // check: out_of_bounds
}
kernel void fixed(device const Table& table [[buffer(0)]], device const uint* which [[buffer(1)]],
                  device float* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  out[i] = table.images[min(which[i], 1u)].read(uint2(i, 0)).x;
}
