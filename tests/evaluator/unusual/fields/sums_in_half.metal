// task: ising
//
// Adds spins in half precision, which has all small integers, and chooses the chance without a table.
#include <metal_stdlib>
using namespace metal;

uint scramble(uint x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}

kernel void ising_step(device char* spins [[buffer(0)]], device const float* p_accept [[buffer(1)]],
                       constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                       constant uint& step_idx [[buffer(4)]], constant uint& seed [[buffer(5)]],
                       uint2 position [[thread_position_in_grid]]) {
  if (any(position >= uint2(NX, NY)) || ((position.x ^ position.y ^ step_idx) & 1) != 0) return;
  const uint row = position.y * NX;
  const uint site = row + position.x;
  const uint left = position.x == 0 ? row + NX - 1 : site - 1;
  const uint right = position.x + 1 == NX ? row : site + 1;
  const uint below = (position.y == 0 ? NY - 1 : position.y - 1) * NX + position.x;
  const uint above = (position.y + 1 == NY ? 0 : position.y + 1) * NX + position.x;
  const half4 around(half(spins[left]), half(spins[right]), half(spins[below]), half(spins[above]));
  const half s = half(spins[site]);
  const half energy = s * (around.x + around.y + around.z + around.w);
  const float u = float(scramble(scramble(seed + step_idx * 0x9E3779B9u) ^ site) >> 8) * exp2(-24.0f);
  const float chance = energy <= 0.0h ? 1.0f : energy < 3.0h ? p_accept[3] : p_accept[4];
  if (u < chance) spins[site] = char(-s);
}
