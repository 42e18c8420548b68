// The test that ends the loop reads a flag that thread 0 already sets for the next round.
// grid: 64
// threadgroup: 64
// in 0: float 64*100
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float error;
  float value = x[t];
  if (t == 0) error = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (error > 1.0f) {  // check: race
    value *= 0.5f;
    if (t == 0) error = value;  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);  // check: barrier_divergence
  }
  x[t] = value;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float error;
  float value = x[t];
  if (t == 0) error = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  while (error > 1.0f) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    value *= 0.5f;
    if (t == 0) error = value;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = value;
}
