// task: heat2d
// class: constant answers
// caught: rule degenerate.constant_output
//
// Fills the field with the mean that the recorded start approaches, and never reads it.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]],
                      device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]],
                      constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]]) {
  if (cell.x >= NX || cell.y >= NY) return;
  u_out[cell.y * NX + cell.x] = 0.5f;
}
