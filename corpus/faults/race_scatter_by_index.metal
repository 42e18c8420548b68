// Elements are put in an order that a buffer gives, and each thread reads its own place too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 63..0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device const uint* order, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[order[t]] = x[t];  // check: race
  x[t] = line[t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, device const uint* order, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  line[order[t]] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t];
}
