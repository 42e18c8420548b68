// task: heat2d
//
// A tile in threadgroup memory, whose halo is zero outside of the field.
#include <metal_stdlib>
using namespace metal;

// 0 outside of the field.
float read(device const float* u, int i, int j, uint NX, uint NY) {
  return i >= 0 && j >= 0 && i < int(NX) && j < int(NY) ? u[uint(j) * NX + uint(i)] : 0.0f;
}

kernel void heat_step(device const float* u_in [[buffer(0)]], device float* u_out [[buffer(1)]],
                      constant uint& NX [[buffer(2)]], constant uint& NY [[buffer(3)]],
                      constant float& alpha [[buffer(4)]],
                      uint2 cell [[thread_position_in_grid]],
                      uint2 t [[thread_position_in_threadgroup]],
                      uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[34 * 34];
  const int i = int(cell.x), j = int(cell.y);
  const uint width = size.x + 2;
  const uint at = (t.y + 1) * width + t.x + 1;
  tile[at] = read(u_in, i, j, NX, NY);
  if (t.x == 0) tile[at - 1] = read(u_in, i - 1, j, NX, NY);
  if (t.x == size.x - 1) tile[at + 1] = read(u_in, i + 1, j, NX, NY);
  if (t.y == 0) tile[at - width] = read(u_in, i, j - 1, NX, NY);
  if (t.y == size.y - 1) tile[at + width] = read(u_in, i, j + 1, NX, NY);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (cell.x >= NX || cell.y >= NY) return;
  const float c = tile[at];
  const bool is_edge = i == 0 || j == 0 || cell.x == NX - 1 || cell.y == NY - 1;
  const float around = tile[at - 1] + tile[at + 1] + tile[at - width] + tile[at + width];
  u_out[cell.y * NX + cell.x] = is_edge ? c : c + alpha * (around - 4.0f * c);
}
