// Two threads of each pair write both halves of a record.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
struct Pair {
  float even;
  float odd;
};
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Pair pairs[32];
  pairs[t / 2].even = x[t];  // lint: hazard.lost_update; check: race
  pairs[t / 2].odd = -x[t];  // lint: hazard.lost_update; check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = pairs[t / 2].even + pairs[t / 2].odd;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Pair pairs[32];
  if (t % 2 == 0) pairs[t / 2].even = x[t];
  if (t % 2 == 1) pairs[t / 2].odd = -x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = pairs[t / 2].even + pairs[t / 2].odd;
}
