// One leapfrog step of the wave equation in a box, seven points, with walls that hold still.
#include <metal_stdlib>
using namespace metal;

struct Box {
  uint nx;
  uint ny;
  uint nz;
  float courant;  // (speed * step / spacing)²
};

kernel void wave_step(device const float* before [[buffer(0)]],
                      device const float* now [[buffer(1)]],
                      device float* next [[buffer(2)]],
                      constant Box& box [[buffer(3)]],
                      uint3 at [[thread_position_in_grid]]) {
  if (at.x >= box.nx || at.y >= box.ny || at.z >= box.nz) return;
  // A box may have more cells than 32 bits can count.
  const ulong row = box.nx;
  const ulong layer = row * box.ny;
  const ulong cell = at.z * layer + at.y * row + at.x;

  const bool is_wall = at.x == 0 || at.y == 0 || at.z == 0 || at.x + 1 == box.nx ||
                       at.y + 1 == box.ny || at.z + 1 == box.nz;
  if (is_wall) {
    next[cell] = 0.0f;
    return;
  }
  const float mine = now[cell];
  const float around = now[cell - 1] + now[cell + 1] + now[cell - row] + now[cell + row] +
                       now[cell - layer] + now[cell + layer];
  next[cell] = 2.0f * mine - before[cell] + box.courant * (around - 6.0f * mine);
}
