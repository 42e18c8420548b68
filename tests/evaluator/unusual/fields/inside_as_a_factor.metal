// task: heat2d
//
// Without a branch for the edges: their neighbours are clamped, and their change is multiplied by 0.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]]) {
  if (any(cell >= uint2(NX, NY))) return;
  const uint2 before = cell - min(cell, 1u);
  const uint2 after = min(cell + 1, uint2(NX, NY) - 1);
  const bool4 is_inner(before.x != cell.x, before.y != cell.y, after.x != cell.x, after.y != cell.y);
  const float inside = float(all(is_inner));
  const float c = u_in[cell.y * NX + cell.x];
  const float around = u_in[cell.y * NX + before.x] + u_in[cell.y * NX + after.x] +
                       u_in[before.y * NX + cell.x] + u_in[after.y * NX + cell.x];
  u_out[cell.y * NX + cell.x] = fma(alpha * inside, around - 4.0f * c, c);
}
