// A function stores the elements, and the kernel reads those of others.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static void keep(threadgroup float* line, uint at, float value) { line[at] = value * value; }  // check: race
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  keep(line, t, x[t]);
  x[t] = line[(t + 1) & 63];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  keep(line, t, x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[(t + 1) & 63];
}
