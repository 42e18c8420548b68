// A function with a missing barrier adds up what the threads put down.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static float sum_of(float value, threadgroup float* line, uint t) {
  line[t] = value;  // check: race
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += line[k];  // lint: hazard.threadgroup_race; check: race uninitialised
  return sum;
}
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  x[t] = sum_of(x[t], line, t);
}
static float ordered_sum_of(float value, threadgroup float* line, uint t) {
  line[t] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += line[k];
  return sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  x[t] = ordered_sum_of(x[t], line, t);
}
