// All rows of a two-dimensional threadgroup write one line.
// grid: 16 16
// threadgroup: 16 16
// in 0: float 0..255
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float line[16];
  line[p.x] = x[p.y * 16 + p.x];  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[p.y * 16 + p.x] = line[p.x];
}
kernel void fixed(device float* x, uint2 p [[thread_position_in_threadgroup]]) {
  threadgroup float line[16];
  if (p.y == 0) line[p.x] = x[p.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[p.y * 16 + p.x] = line[p.x];
}
