// A tiled product multiplies tiles that are not complete.
// grid: 8 8
// threadgroup: 8 8
// in 0: float 0..255
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float a[8][8], b[8][8];
  float sum = 0;
  for (uint k = 0; k < 2; ++k) {
    a[p.y][p.x] = x[k * 64 + p.y * 8 + p.x];
    b[p.y][p.x] = x[128 + k * 64 + p.y * 8 + p.x];  // check: race
    for (uint j = 0; j < 8; ++j) sum += a[p.y][j] * b[j][p.x];  // lint: hazard.threadgroup_race; check: race uninitialised
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[p.y * 8 + p.x] = sum;
}
kernel void fixed(device const float* x, device float* y, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float a[8][8], b[8][8];
  float sum = 0;
  for (uint k = 0; k < 2; ++k) {
    a[p.y][p.x] = x[k * 64 + p.y * 8 + p.x];
    b[p.y][p.x] = x[128 + k * 64 + p.y * 8 + p.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < 8; ++j) sum += a[p.y][j] * b[j][p.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[p.y * 8 + p.x] = sum;
}
