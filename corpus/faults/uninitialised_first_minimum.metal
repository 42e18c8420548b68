// The smallest value starts with whatever is there.
// missed by lint: Clang warns only where a branch certainly leaves the variable unset
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float least;
  for (uint k = 0; k < 4; ++k) least = min(least, x[4 * t + k]);  // check: uninitialised
  threadgroup_barrier(mem_flags::mem_device);
  x[t] = least;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float least = INFINITY;
  for (uint k = 0; k < 4; ++k) least = min(least, x[4 * t + k]);
  threadgroup_barrier(mem_flags::mem_device);
  x[t] = least;
}
