// task: ising
//
// Stores each site of the colour, changed or not, and multiplies by the sign.
#include <metal_stdlib>
using namespace metal;

uint scramble(uint x) {
  x ^= x >> 16;
  x *= 0x85EBCA6Bu;
  x ^= x >> 13;
  x *= 0xC2B2AE35u;
  x ^= x >> 16;
  return x;
}

kernel void ising_step(device char* spins [[buffer(0)]], device const float* p_accept [[buffer(1)]],
                       constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                       constant uint& step_idx [[buffer(4)]], constant uint& seed [[buffer(5)]],
                       uint2 place [[thread_position_in_grid]]) {
  if (place.x >= NX || place.y >= NY || ((place.x ^ place.y ^ step_idx) & 1) != 0) return;
  const uint2 sides = uint2(NX, NY);
  const uint2 before = select(place - 1, sides - 1, place == 0u);
  const uint2 behind = select(place + 1, uint2(0), place + 1 == sides);
  const uint site = place.y * NX + place.x;
  const short4 around = short4(spins[place.y * NX + before.x], spins[place.y * NX + behind.x],
                               spins[before.y * NX + place.x], spins[behind.y * NX + place.x]);
  const short s = spins[site], h = around.x + around.y + around.z + around.w;
  const uint x = scramble(site ^ scramble(seed + step_idx * 0x9E3779B9u));
  const float u = ldexp(float(x >> 8), -24);
  spins[site] = char(s * select(1, -1, u < p_accept[uint(s * h + 4) / 2]));
}
