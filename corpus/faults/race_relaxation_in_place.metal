// Neighbours are relaxed in place by all threads at once. public bug: Rodinia, path finders
// grid: 64
// threadgroup: 64
// in 0: float 1..65
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* cost, uint t [[thread_position_in_grid]]) {
  cost[t] = cost[t + 1] + 1;  // lint: hazard.in_place_aliasing; check: race
}
kernel void fixed(device float* cost, uint t [[thread_position_in_grid]]) {
  const float next = cost[t + 1];
  threadgroup_barrier(mem_flags::mem_device);
  cost[t] = next + 1;
}
