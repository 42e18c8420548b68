// task: morton
//
// Spreads the bits of a place by masks instead of a loop.
#include <metal_stdlib>
using namespace metal;

// Spreads ten bits, two places apart, and gathers them.
uint spread(uint v) {
  v &= 0x3ff;
  v = (v | v << 16) & 0x030000ff;
  v = (v | v << 8) & 0x0300f00f;
  v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}

uint gathered(uint v) {
  v &= 0x09249249;
  v = (v | v >> 2) & 0x030c30c3;
  v = (v | v >> 4) & 0x0300f00f;
  v = (v | v >> 8) & 0x030000ff;
  return (v | v >> 16) & 0x3ff;
}

uint3 decode(uint index, uint) {
  return uint3(gathered(index), gathered(index >> 1), gathered(index >> 2));
}

uint encode(uint x, uint y, uint z, uint) { return spread(x) | spread(y) << 1 | spread(z) << 2; }

// One step of the heat equation over a field in Z-order, one cell per thread; the faces keep their
// values.
kernel void morton_stencil(device const float* u_in [[buffer(0)]],
                           device float* u_out [[buffer(1)]],
                           constant uint& N [[buffer(2)]],
                           constant uint& logN [[buffer(3)]],
                           constant float& alpha [[buffer(4)]],
                           uint at [[thread_position_in_grid]]) {
  if (at >= N * N * N) return;

  const uint3 cell = decode(at, logN);
  const float c = u_in[at];
  if (cell.x == 0 || cell.y == 0 || cell.z == 0 || cell.x == N - 1 || cell.y == N - 1 ||
      cell.z == N - 1) {
    u_out[at] = c;
    return;
  }
  const float around = u_in[encode(cell.x - 1, cell.y, cell.z, logN)] +
                       u_in[encode(cell.x + 1, cell.y, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y - 1, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y + 1, cell.z, logN)] +
                       u_in[encode(cell.x, cell.y, cell.z - 1, logN)] +
                       u_in[encode(cell.x, cell.y, cell.z + 1, logN)];
  u_out[at] = c + alpha * (around - 6.0f * c);
}
