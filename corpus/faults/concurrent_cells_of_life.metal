// A generation of cells is written over the one that the other launch still reads.
// grid: 16
// threadgroup: 16
// launches: 2 concurrent
// in 0: uchar 0 1 1 0 1 0 0 1 1 1 0 1 0 0 1 0
// in 1: uchar 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uchar* cells, uint i [[thread_position_in_grid]]) {
  const uchar left = cells[(i + 15) % 16], right = cells[(i + 1) % 16];  // check: race
  simdgroup_barrier(mem_flags::mem_device);
  cells[i] = left ^ right;  // lint: hazard.device_race; check: race
}
kernel void fixed(device const uchar* cells, device uchar* next, uint i [[thread_position_in_grid]]) {
  const uchar left = cells[(i + 15) % 16], right = cells[(i + 1) % 16];
  next[i] = left ^ right;
}
