// task: heat2d
//
// A tile whose halo beyond the field is never filled; edge cells read it and discard what they read.
#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[18][18];
  const bool is_inside = cell.x < NX && cell.y < NY;
  const uint at = is_inside ? cell.y * NX + cell.x : 0;
  if (is_inside) {
    tile[t.y + 1][t.x + 1] = u_in[at];
    if (t.x == 0 && cell.x > 0) tile[t.y + 1][0] = u_in[at - 1];
    if (t.y == 0 && cell.y > 0) tile[0][t.x + 1] = u_in[at - NX];
    if (t.x == size.x - 1 && cell.x + 1 < NX) tile[t.y + 1][t.x + 2] = u_in[at + 1];
    if (t.y == size.y - 1 && cell.y + 1 < NY) tile[t.y + 2][t.x + 1] = u_in[at + NX];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (!is_inside) return;
  const float c = tile[t.y + 1][t.x + 1];
  const float around = tile[t.y + 1][t.x] + tile[t.y + 1][t.x + 2] + tile[t.y][t.x + 1] + tile[t.y + 2][t.x + 1];
  const bool is_edge = cell.x == 0 || cell.y == 0 || cell.x == NX - 1 || cell.y == NY - 1;
  u_out[at] = is_edge ? c : c + alpha * (around - 4.0f * c);
}
