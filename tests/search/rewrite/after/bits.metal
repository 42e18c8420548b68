#include <metal_stdlib>
using namespace metal;

uint gather_2(uint x) {
  x &= 0x55555555u;
  x = (x | (x >> 1)) & 0x33333333u;
  x = (x | (x >> 2)) & 0x0f0f0f0fu;
  x = (x | (x >> 4)) & 0x00ff00ffu;
  return (x | (x >> 8)) & 0xffffu;
}

uint spread_3(uint x) {
  x &= 0x7ffu;
  x = (x | (x << 16)) & 0x070000ffu;
  x = (x | (x << 8)) & 0x0700f00fu;
  x = (x | (x << 4)) & 0x430c30c3u;
  return (x | (x << 2)) & 0x49249249u;
}

kernel void shuffle(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                    constant uint& bits [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  const uint x = in[i];
  uint2 part = uint2(0);
  {
    part.x |= (gather_2(x) & ((1u << bits) - 1));
    part.y |= (gather_2((x >> 1)) & ((1u << bits) - 1));
  }
  uint wide = 0;
  {
    wide |= (spread_3(x & ((1u << 8) - 1)) << 2);
  }
  for (uint b = 0; b < 8; ++b) wide |= ((x >> b) & 1) << (4 * b);  // every fourth bit
  for (uint b = 0; b < 8; ++b) part.x |= ((part.x >> b) & 1) << (2 * b);  // reads what it writes
  out[i] = part.x + part.y + wide;
}
