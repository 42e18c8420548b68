// A barrier without flags stands between a store to a buffer and its use.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* z, uint t [[thread_index_in_threadgroup]]) {
  z[t] = x[t] * 2;
  threadgroup_barrier(mem_flags::mem_none);  // lint: hazard.barrier_flags
  if (t == 0) z[0] = z[1] + z[63];  // check: race
}
kernel void fixed(device const float* x, device float* z, uint t [[thread_index_in_threadgroup]]) {
  z[t] = x[t] * 2;
  threadgroup_barrier(mem_flags::mem_device);
  if (t == 0) z[0] = z[1] + z[63];
}
