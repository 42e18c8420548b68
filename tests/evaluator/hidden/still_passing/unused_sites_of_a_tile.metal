// task: ising
// verdict: accepted
//
// Tiles hold sites that other threadgroups write meanwhile. Their values are not used, and no order changes the result.
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
                       uint2 position [[thread_position_in_grid]],
                       uint2 t [[thread_position_in_threadgroup]],
                       uint2 group [[threadgroup_position_in_grid]],
                       uint2 size [[threads_per_threadgroup]]) {
  threadgroup char tile[18 * 18];
  const uint2 corner = group * size;
  for (uint at = t.y * size.x + t.x; at < (size.x + 2) * (size.y + 2); at += size.x * size.y) {
    const uint i = (corner.x + at % (size.x + 2) + NX - 1) % NX;
    const uint j = (corner.y + at / (size.x + 2) + NY - 1) % NY;
    tile[at] = spins[j * NX + i];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (any(position >= uint2(NX, NY)) || ((position.x + position.y + step_idx) & 1) != 0) return;
  const uint at = (t.y + 1) * (size.x + 2) + t.x + 1;
  const bool2 is_last = position == uint2(NX, NY) - 1;
  const int right = is_last.x ? spins[position.y * NX] : tile[at + 1];
  const int above = is_last.y ? spins[position.x] : tile[at + size.x + 2];
  const int h = tile[at - 1] + tile[at - size.x - 2] + right + above;
  const uint site = position.y * NX + position.x;
  const int s = tile[at];
  const float u = float(scramble(scramble(seed + step_idx * 0x9E3779B9u) ^ site) >> 8) * (1.0f / 16777216.0f);
  if (u < p_accept[(s * h + 4) / 2]) spins[site] = char(-s);
}
