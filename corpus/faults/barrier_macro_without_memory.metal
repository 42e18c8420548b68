// A macro for synchronisation expands to a barrier without flags.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
#define SYNC_ALL() threadgroup_barrier(mem_flags::mem_none)
#define SYNC_TILE() threadgroup_barrier(mem_flags::mem_threadgroup)
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  SYNC_ALL();  // lint: hazard.barrier_flags
  x[t] = line[63 - t];  // check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[t] = x[t];
  SYNC_TILE();
  x[t] = line[63 - t];
}
