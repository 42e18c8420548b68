// One thread stores a factor that all use at once.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float scale;
  if (t == 0) scale = 1.0f / x[0];
  x[64 + t] *= scale;  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float scale;
  if (t == 0) scale = 1.0f / x[0];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] *= scale;
}
