// task: morton
//
// A table spreads four bits at once.
#include <metal_stdlib>
using namespace metal;

constant ushort spread_bits[16] = {0x000, 0x001, 0x008, 0x009, 0x040, 0x041, 0x048, 0x049,
                                   0x200, 0x201, 0x208, 0x209, 0x240, 0x241, 0x248, 0x249};

uint spread(uint x) {
  return spread_bits[x & 15] | uint(spread_bits[x >> 4 & 15]) << 12 | uint(spread_bits[x >> 8 & 3]) << 24;
}

uint gather(uint x) {
  uint bits = 0;
  for (uint b = 0; b < 10; ++b) bits |= (x >> (3 * b) & 1) << b;
  return bits;
}

uint place(uint3 cell) { return spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2; }

kernel void morton_stencil(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                           constant uint& N [[buffer(2)]], constant uint& logN [[buffer(3)]],
                           constant float& alpha [[buffer(4)]], uint at [[thread_position_in_grid]]) {
  if (at >= N * N * N) return;
  const uint3 cell = uint3(gather(at), gather(at >> 1), gather(at >> 2));
  float c = u_in[at];
  if (all(cell > 0u) && all(cell < N - 1)) {
    float around = 0.0f;
    for (uint axis = 0; axis < 3; ++axis) {
      uint3 beside = cell;
      beside[axis] = cell[axis] - 1;
      around += u_in[place(beside)];
      beside[axis] = cell[axis] + 1;
      around += u_in[place(beside)];
    }
    c += alpha * (around - 6.0f * c);
  }
  u_out[at] = c;
}
