// A struct holds the pointer, and a count that is one too large for its buffer.
// missed by lint: the struct is filled by a host
// grid: 64
// threadgroup: 64
// in 0: pointer 7 8
// in 0: uint 65 0
// in 7: float 64*1
// in 8: float 64*0
#include <metal_stdlib>
using namespace metal;
struct Arrays {
  device const float* in;
  device float* out;
  uint count;
};
kernel void faulty(constant Arrays& arrays [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i + 1 < arrays.count) arrays.out[i] = arrays.in[i + 1];  // check: out_of_bounds
}
kernel void fixed(constant Arrays& arrays [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i + 2 < arrays.count) arrays.out[i] = arrays.in[i + 1];
}
