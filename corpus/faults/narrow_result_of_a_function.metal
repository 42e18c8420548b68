// A helper returns a count in 16 bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: uint 300 400
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
inline ushort cells(uint width, uint height) {
  return width * height;  // check: narrowed
}
inline uint wide_cells(uint width, uint height) { return width * height; }
kernel void faulty(constant uint2& size, device uint* n) { n[0] = cells(size.x, size.y); }
kernel void fixed(constant uint2& size, device uint* n) { n[0] = wide_cells(size.x, size.y); }
