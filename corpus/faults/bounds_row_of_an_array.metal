// An index of the second dimension runs into the next row.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float rows[16][4];
  rows[t / 4][t % 4] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = rows[t / 8][t % 8];  // lint: hazard.out_of_bounds; check: out_of_bounds
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float rows[16][4];
  rows[t / 4][t % 4] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = rows[t / 4][t % 4];
}
