// A tile is read turned around before it is complete.
// grid: 16 16
// threadgroup: 16 16
// in 0: float 0..255
// in 1: float 256*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16][17];
  tile[p.y][p.x] = x[p.y * 16 + p.x];  // check: race
  y[p.y * 16 + p.x] = tile[p.x][p.y];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16][17];
  tile[p.y][p.x] = x[p.y * 16 + p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[p.y * 16 + p.x] = tile[p.x][p.y];
}
