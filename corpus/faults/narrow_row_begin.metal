// Where a row begins does not fit in 16 bits from row 128 on.
// missed by lint: the values of the host and of buffers are not known
// grid: 4
// threadgroup: 4
// in 0: uint 0 64 127 200
// in 1: uint 512
// in 2: uint 4*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* rows, constant uint& width, device uint* begins,
                   uint i [[thread_position_in_grid]]) {
  const ushort begin = rows[i] * width;  // check: narrowed
  begins[i] = begin;
}
kernel void fixed(device const uint* rows, constant uint& width, device uint* begins,
                  uint i [[thread_position_in_grid]]) {
  const uint begin = rows[i] * width;
  begins[i] = begin;
}
