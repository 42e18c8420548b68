#include <metal_stdlib>
using namespace metal;

kernel void shuffle(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    constant uint& bits [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint x = in[i];
  uint2 part = uint2(0);
  for (uint b = 0; b < bits; ++b) {
    part.x |= ((x >> (2 * b)) & 1) << b;
    part.y |= ((x >> (2 * b + 1)) & 1) << b;
  }
  uint wide = 0;
  for (uint b = 0; b < 8; ++b) wide |= ((x >> b) & 1) << (3 * b + 2);
  for (uint b = 0; b < 8; ++b) wide |= ((x >> b) & 1) << (4 * b);  // every fourth bit
  for (uint b = 0; b < 8; ++b) part.x |= ((part.x >> b) & 1) << (2 * b);  // reads what it writes
  out[i] = part.x + part.y + wide;
}
