// One leapfrog step of the wave equation in a box, seven points, with walls that hold still.
#include <metal_stdlib>
using namespace metal;

kernel void wave_step(device const float* before [[buffer(0)]],
                      device const float* now [[buffer(1)]],
                      device float* next [[buffer(2)]],
                      constant uint& nx [[buffer(3)]],
                      constant uint& ny [[buffer(4)]],
                      constant uint& nz [[buffer(5)]],
                      constant float& courant [[buffer(6)]],  // (speed * step / spacing)²
                      uint3 at [[thread_position_in_grid]]) {
  if (at.x >= nx || at.y >= ny || at.z >= nz) return;
  // A box may have more cells than 32 bits can count.
  const ulong row = nx;
  const ulong layer = row * ny;
  const ulong cell = at.z * layer + at.y * row + at.x;

  const bool is_wall = at.x == 0 || at.y == 0 || at.z == 0 || at.x == nx - 1 || at.y == ny - 1 ||
                       at.z == nz - 1;
  if (is_wall) {
    next[cell] = 0.0f;
    return;
  }
  const float mine = now[cell];
  const float around = now[cell - 1] + now[cell + 1] + now[cell - row] + now[cell + row] +
                       now[cell - layer] + now[cell + layer];
  next[cell] = 2.0f * mine - before[cell] + courant * (around - 6.0f * mine);
}
