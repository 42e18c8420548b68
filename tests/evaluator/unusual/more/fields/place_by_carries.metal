// task: morton
//
// Finds the place of a neighbour by the bits that a carry changes.
#include <metal_stdlib>
using namespace metal;

// The place of the cell one further along an axis: the carry passes the ones at the lower end.
uint further(uint place, uint axis) {
  uint bit = 1u << axis;
  while (place & bit) {
    place &= ~bit;
    bit <<= 3;
  }
  return place | bit;
}

uint before(uint place, uint axis) {
  uint bit = 1u << axis;
  while (!(place & bit)) {
    place |= bit;
    bit <<= 3;
  }
  return place & ~bit;
}

kernel void morton_stencil(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                           constant uint& N [[buffer(2)]], constant uint& logN [[buffer(3)]],
                           constant float& alpha [[buffer(4)]], uint at [[thread_position_in_grid]]) {
  if (at >= N * N * N) return;
  const float c = u_in[at];
  float around = 0.0f;
  for (uint axis = 0; axis < 3; ++axis) {
    uint whole = 0;
    for (uint b = 0; b < logN; ++b) whole |= 1u << (3 * b + axis);
    if ((at & whole) == 0 || (at & whole) == whole) {
      u_out[at] = c;
      return;
    }
    around += u_in[further(at, axis)] + u_in[before(at, axis)];
  }
  u_out[at] = fma(alpha, around - 6.0f * c, c);
}
