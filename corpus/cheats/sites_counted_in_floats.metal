// task: ising
// class: wrong at other sizes
// caught: named > 16777216
//
// Counts the sites in real numbers, which keep all integers up to 2^24 only.
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

// One pass over the sites of one colour, one site per thread; threads of the other colour leave at
// once.
kernel void ising_step(device char* spins [[buffer(0)]],
                       device const float* p_accept [[buffer(1)]],
                       constant uint& NX [[buffer(2)]],
                       constant uint& NY [[buffer(3)]],
                       constant uint& step_idx [[buffer(4)]],
                       constant uint& seed [[buffer(5)]],
                       uint2 position [[thread_position_in_grid]]) {
  const uint i = position.x;
  const uint j = position.y;
  if (i >= NX || j >= NY) return;
  if (((i + j) & 1) != (step_idx & 1)) return;

  const uint left = i == 0 ? NX - 1 : i - 1;
  const uint right = i == NX - 1 ? 0 : i + 1;
  const uint below = j == 0 ? NY - 1 : j - 1;
  const uint above = j == NY - 1 ? 0 : j + 1;
  const int h = int(spins[j * NX + left]) + int(spins[j * NX + right]) +
                int(spins[below * NX + i]) + int(spins[above * NX + i]);

  const uint site = uint(float(j) * float(NX) + float(i));
  const int s = spins[site];
  const uint x = scramble(scramble(seed + step_idx * 0x9E3779B9u) ^ site);
  const float u = float(x >> 8) * (1.0f / 16777216.0f);
  if (u < p_accept[(s * h + 4) / 2]) spins[site] = char(-s);
}
