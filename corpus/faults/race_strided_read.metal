// Each thread fills a row of four and reads every 64th element.
// grid: 64
// threadgroup: 64
// in 0: float 1..320
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float table[256];
  for (uint k = 0; k < 4; ++k) table[4 * t + k] = x[4 * t + k];  // check: race
  float sum = 0;
  for (uint k = t; k < 256; k += width) sum += table[k];  // lint: hazard.threadgroup_race; check: race uninitialised
  x[256 + t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float table[256];
  for (uint k = 0; k < 4; ++k) table[4 * t + k] = x[4 * t + k];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = t; k < 256; k += width) sum += table[k];
  x[256 + t] = sum;
}
