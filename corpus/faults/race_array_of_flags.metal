// Each thread clears its flag and tests all flags at once.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup bool busy[64];
  busy[t] = x[t] > 3.0f;
  bool any_busy = false;
  for (uint k = 0; k < width; ++k) any_busy = any_busy || busy[k];  // lint: hazard.threadgroup_race; check: race
  if (any_busy) x[t] = 0;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup bool busy[64];
  busy[t] = x[t] > 3.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  bool any_busy = false;
  for (uint k = 0; k < width; ++k) any_busy = any_busy || busy[k];
  if (any_busy) x[t] = 0;
}
