// task: ising
//
// A threadgroup keeps the five chances; sites wrap around by remainders.
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
                       uint2 place [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                       uint2 size [[threads_per_threadgroup]]) {
  threadgroup float chances[5];
  for (uint k = t; k < 5; k += size.x * size.y) chances[k] = p_accept[k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint i = place.x, j = place.y;
  if (i >= NX || j >= NY || (i + j + step_idx) % 2 != 0) return;
  const uint row = j * NX;
  const int around = spins[row + (i + NX - 1) % NX] + spins[row + (i + 1) % NX] +
                     spins[(j + NY - 1) % NY * NX + i] + spins[(j + 1) % NY * NX + i];
  const char s = spins[row + i];
  const uint x = scramble(scramble(seed + step_idx * 0x9E3779B9u) ^ (row + i));
  const bool flips = float(x >> 8) * (1.0f / 16777216.0f) < chances[(s * around + 4) >> 1];
  if (flips) spins[row + i] = -s;
}
