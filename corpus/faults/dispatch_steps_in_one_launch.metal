// All steps of a simulation run in one dispatch of several threadgroups.
// grid: 128
// threadgroup: 64
// in 0: float 1..130
// in 1: float 130*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* y, uint i [[thread_position_in_grid]]) {
  for (uint step = 0; step < 2; ++step) {
    y[i + 1] = x[i] * x[i + 2];  // check: race
    threadgroup_barrier(mem_flags::mem_device);  // lint: hazard.grid_wide_barrier
    x[i + 1] = y[i + 1];  // check: race
    threadgroup_barrier(mem_flags::mem_device);
  }
}
kernel void fixed(device float* x, device float* y, uint i [[thread_position_in_grid]]) {
  y[i + 1] = x[i] * x[i + 2];
}
