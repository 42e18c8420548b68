// The first thread fills a record that all threads read.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
struct Limits {
  float low;
  float high;
};
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Limits limits;
  if (t == 0) {
    limits.low = x[0];
    limits.high = x[1];
  }
  x[64 + t] = clamp(x[64 + t], limits.low, limits.high);  // lint: hazard.threadgroup_race; check: race
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Limits limits;
  if (t == 0) {
    limits.low = x[0];
    limits.high = x[1];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[64 + t] = clamp(x[64 + t], limits.low, limits.high);
}
