// A node's number is doubled on the way down, in 16 bits.
// missed by lint: the values of the host and of buffers are not known
// grid: 1
// threadgroup: 1
// in 0: uint 20
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(constant uint& depth, device uint* leaf) {
  ushort node = 1;
  for (uint k = 0; k < depth; ++k) node = 2 * node + 1;  // check: narrowed
  leaf[0] = node;
}
kernel void fixed(constant uint& depth, device uint* leaf) {
  uint node = 1;
  for (uint k = 0; k < depth; ++k) node = 2 * node + 1;
  leaf[0] = node;
}
