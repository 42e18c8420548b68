#include <metal_stdlib>
using namespace metal;

uint turn(uint x, uint by) { return x << by | x >> (32 - by); }

// Mixes four words into a hash, in four rounds.
void absorb(thread uint* hash, thread const uint* words) {
  for (uint i = 0; i < 4; ++i) hash[i] ^= words[i];
  for (uint round = 0; round < 4; ++round) {
    hash[0] += hash[1];
    hash[3] = turn(hash[3] ^ hash[0], 16);
    hash[2] += hash[3];
    hash[1] = turn(hash[1] ^ hash[2], 12);
    hash[0] += hash[1] + round;
    hash[3] = turn(hash[3] ^ hash[0], 8);
    hash[2] += hash[3];
    hash[1] = turn(hash[1] ^ hash[2], 7);
  }
}

void start(thread uint* hash, uint kind) {
  for (uint i = 0; i < 4; ++i) hash[i] = 0x9e3779b9 * (i + 1) + kind;
}

// Hashes the 16 words of each leaf.
kernel void tree_leaves(device const uint* data [[buffer(0)]], device uint* out [[buffer(1)]],
                        constant uint& leaves [[buffer(2)]], uint leaf [[thread_position_in_grid]]) {
  if (leaf >= leaves) return;
  uint hash[4], words[4];
  start(hash, 0);
  for (uint block = 0; block < 4; ++block) {
    for (uint i = 0; i < 4; ++i) words[i] = data[16 * leaf + 4 * block + i];
    absorb(hash, words);
  }
  for (uint i = 0; i < 4; ++i) out[4 * leaf + i] = hash[i];
}

// Hashes pairs of the `below` hashes of a level. The last one may be alone, and moves up unchanged.
kernel void tree_level(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                       constant uint& below [[buffer(2)]], uint node [[thread_position_in_grid]]) {
  if (2 * node >= below) return;
  uint hash[4], words[4];
  if (2 * node + 1 == below) {
    for (uint i = 0; i < 4; ++i) hash[i] = in[8 * node + i];
  } else {
    start(hash, 1);
    for (uint child = 0; child < 2; ++child) {
      for (uint i = 0; i < 4; ++i) words[i] = in[8 * node + 4 * child + i];
      absorb(hash, words);
    }
  }
  for (uint i = 0; i < 4; ++i) out[4 * node + i] = hash[i];
}

kernel void tree_root(device const uint* in [[buffer(0)]], device uint* root [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  if (i < 4) root[i] = in[i];
}
