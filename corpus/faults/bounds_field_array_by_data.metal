// A number from a buffer chooses an element behind a field's array in threadgroup memory.
// missed by lint: the index comes from data
// grid: 64
// threadgroup: 64
// in 0: uint 64*4
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
struct Cell {
  uint faces[4];
  uint source;
};
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Cell cells[64];
  for (uint k = 0; k < 4; ++k) cells[t].faces[k] = k;
  cells[t].source = 9;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = cells[t].faces[u[t]];  // check: out_of_bounds
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Cell cells[64];
  for (uint k = 0; k < 4; ++k) cells[t].faces[k] = k;
  cells[t].source = 9;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[t] = cells[t].faces[u[t] - 1];
}
