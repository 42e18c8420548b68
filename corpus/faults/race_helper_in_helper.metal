// The store lies two calls deep.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static void put(threadgroup float* line, uint at, float value) { line[at] = value; }  // check: race
static void put_square(threadgroup float* line, uint at, float value) { put(line, at, value * value); }
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  put_square(line, t, x[t]);
  x[t] = line[63 - t];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  put_square(line, t, x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];
}
