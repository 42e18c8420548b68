// The cells of the halo are read before their threads have stored them.
// grid: 16 16
// threadgroup: 16 16
// in 0: float 0..255
// in 1: float 256*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]],
                   uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[18][16];
  tile[p.y + 1][p.x] = x[p.y * 16 + p.x];  // check: race
  if (p.y == 0) tile[0][p.x] = 0;
  if (p.y == size.y - 1) tile[size.y + 1][p.x] = 0;
  y[p.y * 16 + p.x] = tile[p.y][p.x] + tile[p.y + 2][p.x];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]],
                  uint2 size [[threads_per_threadgroup]]) {
  threadgroup float tile[18][16];
  tile[p.y + 1][p.x] = x[p.y * 16 + p.x];
  if (p.y == 0) tile[0][p.x] = 0;
  if (p.y == size.y - 1) tile[size.y + 1][p.x] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[p.y * 16 + p.x] = tile[p.y][p.x] + tile[p.y + 2][p.x];
}
