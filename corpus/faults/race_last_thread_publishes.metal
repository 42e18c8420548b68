// The last thread publishes a total that the others read too early.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]],
                   uint width [[threads_per_threadgroup]]) {
  threadgroup float total;
  const float own = x[t] * 2;
  if (t == width - 1) total = own;  // check: race
  x[t] = own - total;  // lint: hazard.threadgroup_race; check: race uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]],
                  uint width [[threads_per_threadgroup]]) {
  threadgroup float total;
  const float own = x[t] * 2;
  if (t == width - 1) total = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = own - total;
}
