// A cast that the compiler asks for takes back a promotion, and with it the carry.
// missed by lint: the values of the host and of buffers are not known
// grid: 2
// threadgroup: 2
// in 0: ushort 60000 100
// in 1: ushort 10000 200
// in 2: uint 0 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const ushort* a, device const ushort* b, device uint* middle,
                   uint i [[thread_position_in_grid]]) {
  const ushort sum = ushort(a[i] + b[i]);  // check: narrowed
  middle[i] = sum / 2;
}
kernel void fixed(device const ushort* a, device const ushort* b, device uint* middle,
                  uint i [[thread_position_in_grid]]) {
  const uint sum = uint(a[i]) + uint(b[i]);
  middle[i] = sum / 2;
}
