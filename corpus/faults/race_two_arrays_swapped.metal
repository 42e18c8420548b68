// Two arrays change places in each step, with no barrier between the steps.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float first[64], second[64];
  first[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float* from = first;
  threadgroup float* to = second;
  for (uint reach = 1; reach < 64; reach *= 2) {
    to[t] = t >= reach ? from[t] + from[t - reach] : from[t];  // lint: hazard.threadgroup_race; check: race
    threadgroup float* other = from;
    from = to;
    to = other;
  }
  x[t] = from[t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float first[64], second[64];
  first[t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float* from = first;
  threadgroup float* to = second;
  for (uint reach = 1; reach < 64; reach *= 2) {
    to[t] = t >= reach ? from[t] + from[t - reach] : from[t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup float* other = from;
    from = to;
    to = other;
  }
  x[t] = from[t];
}
