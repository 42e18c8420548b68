// Each threadgroup takes the total of the one before it.
// missed by lint: what another threadgroup writes is compared for neighbours in the grid only
// grid: 128
// threadgroup: 64
// in 0: float 1..128
// in 1: float 8*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* totals, uint i [[thread_position_in_grid]],
                   uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  if (t == 63) totals[g] = x[i];  // check: race
  threadgroup_barrier(mem_flags::mem_device);
  const float before = g > 0 ? totals[g - 1] : 0.0f;  // check: race
  x[i] += before;
}
kernel void fixed(device float* x, device float* totals, uint i [[thread_position_in_grid]],
                  uint g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  if (t == 63) totals[2 + g] = x[i];
  threadgroup_barrier(mem_flags::mem_device);
  const float before = g > 0 ? totals[g - 1] : 0.0f;
  x[i] += before;
}
