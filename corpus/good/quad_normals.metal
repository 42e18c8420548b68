// Differences within quads: every four threads hold a 2 × 2 square of a height field, as the host's
// order of the points has it, and find its slope without a single read of a neighbour.
#include <metal_stdlib>
using namespace metal;

kernel void quad_slopes(device const float* heights [[buffer(0)]],
                        device float2* slopes [[buffer(1)]],   // one for each square
                        device float* roughness [[buffer(2)]],  // one for each square
                        constant uint& points [[buffer(3)]],    // a multiple of four
                        uint i [[thread_position_in_grid]],
                        uint corner [[thread_index_in_quadgroup]]) {
  if (i >= points) return;
  const float height = heights[i];
  // Corners are numbered by rows: the lower bit is left or right, the upper one top or bottom.
  const float across = quad_shuffle_xor(height, 1) - height;
  const float down = quad_shuffle_xor(height, 2) - height;
  const float2 slope = float2((corner & 1) == 0 ? across : -across,
                              (corner & 2) == 0 ? down : -down);
  const float2 mean = 0.25f * float2(quad_sum(slope.x), quad_sum(slope.y));
  const float spread = quad_max(height) - quad_min(height);
  if (corner == 0) {
    slopes[i / 4] = mean;
    roughness[i / 4] = spread;
  }
}
