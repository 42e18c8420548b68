// task: heat2d
// class: stale output
// caught: rule hazard.uninitialised_threadgroup
//
// Reads a tile that is never filled; correct if the memory holds the last threadgroup's zeros.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]],
                      device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]],
                      constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]],
                      uint2 place [[thread_position_in_threadgroup]]) {
  threadgroup float tile[18][18];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (cell.x >= NX || cell.y >= NY) return;
  const uint at = cell.y * NX + cell.x;
  u_out[at] = u_in[at] + alpha * tile[place.y + 1][place.x + 1];
}
