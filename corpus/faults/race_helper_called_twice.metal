// A reduction that is right by itself is called twice on one array.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
static float all_sum(float value, threadgroup float* line, uint t) {
  line[t] = value;  // check: race
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 64; ++k) sum += line[k];  // lint: hazard.threadgroup_race; check: race
  return sum;
}
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  const float mean = all_sum(x[t], line, t) / 64;
  const float spread = all_sum((x[t] - mean) * (x[t] - mean), line, t);
  x[t] = (x[t] - mean) / sqrt(spread);
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float line[64];
  const float mean = all_sum(x[t], line, t) / 64;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float spread = all_sum((x[t] - mean) * (x[t] - mean), line, t);
  x[t] = (x[t] - mean) / sqrt(spread);
}
