// task: morton
//
// Steps along an axis without decoding: adds to the bits of the axis, with the carry going over the others.
#include <metal_stdlib>
using namespace metal;

// The place after or before `at` along the axis whose bits `mask` has.
uint after(uint at, uint mask) { return (((at | ~mask) + 1) & mask) | (at & ~mask); }
uint before(uint at, uint mask) { return (((at & mask) - 1) & mask) | (at & ~mask); }

kernel void morton_stencil(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                           constant uint& N [[buffer(2)]], constant uint& logN [[buffer(3)]],
                           constant float& alpha [[buffer(4)]], uint at [[thread_position_in_grid]]) {
  const uint cells = 1u << (3 * logN);
  if (at >= cells) return;
  const uint masks[3] = {0x09249249u & (cells - 1), 0x12492492u & (cells - 1), 0x24924924u & (cells - 1)};
  const float c = u_in[at];
  float around = 0.0f;
  for (uint axis = 0; axis < 3; ++axis) {
    const uint mask = masks[axis];
    if ((at & mask) == 0 || (at & mask) == mask) {
      u_out[at] = c;
      return;
    }
    around += u_in[before(at, mask)] + u_in[after(at, mask)];
  }
  u_out[at] = c + alpha * (around - 6.0f * c);
}
