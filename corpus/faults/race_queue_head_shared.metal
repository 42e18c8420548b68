// The leader fetches the next job while others still use the last one's number.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device atomic_uint* head, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint job;
  for (uint round = 0; round < 4; ++round) {
    if (t == 0) job = atomic_fetch_add_explicit(head, 1u, memory_order_relaxed);  // lint: hazard.threadgroup_race; check: race
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[t] += float(job);  // check: race
  }
}
kernel void fixed(device float* x, device atomic_uint* head, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint job;
  for (uint round = 0; round < 4; ++round) {
    if (t == 0) job = atomic_fetch_add_explicit(head, 1u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    x[t] += float(job);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
}
