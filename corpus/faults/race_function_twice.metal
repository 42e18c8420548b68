// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
void put(threadgroup float* values, uint at, float value) { values[at] = value; }  // check: race
float get(threadgroup float* values, uint at) { return values[at]; }  // check: race uninitialised
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[512];
  if (t == 0) tile[width] = 0;
  put(tile, t, x[t]);
  x[t] = get(tile, t + 1);  // lint: hazard.threadgroup_race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float tile[512];
  if (t == 0) tile[width] = 0;
  put(tile, t, x[t]);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = get(tile, t + 1);
}
