// The flags come from a variable that holds the wrong ones.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, constant uint& mode, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  const mem_flags flags = mode == 1 ? mem_flags::mem_threadgroup : mem_flags::mem_device;
  threadgroup_barrier(flags);  // lint: hazard.barrier_flags
  x[t] = line[63 - t];  // check: race
}
kernel void fixed(device float* x, constant uint& mode, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  const mem_flags flags = mode == 1 ? mem_flags::mem_device : mem_flags::mem_none;
  threadgroup_barrier(flags | mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
