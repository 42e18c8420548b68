// The halo's last element lies behind the array.
// missed by lint: the range of a thread's position is not compared with the length of an array
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  if (t == width - 1) line[t + 1] = 0;  // check: out_of_bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t + 1];  // check: out_of_bounds
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float line[65];
  line[t] = x[t];
  if (t == width - 1) line[t + 1] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t + 1];
}
