// Threadgroup memory of the host, read around the thread's own place.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// shared 0: 264
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, threadgroup float* line [[threadgroup(0)]],
                   uint t [[thread_index_in_threadgroup]]) {
  line[t + 1] = x[t];  // check: race
  if (t == 0) line[0] = line[65] = 0;
  x[t] = line[t] + line[t + 2];  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, threadgroup float* line [[threadgroup(0)]],
                  uint t [[thread_index_in_threadgroup]]) {
  line[t + 1] = x[t];
  if (t == 0) line[0] = line[65] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[t] + line[t + 2];
}
