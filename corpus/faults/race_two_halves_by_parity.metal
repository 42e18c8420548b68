// Two halves of one array alternate by the parity of the step, with no barrier between the steps.
// grid: 64
// threadgroup: 64
// in 0: float 1..256
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float lines[2][64];
  lines[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 0; step < 6; ++step) {
    const uint now = step & 1;
    const uint reach = 1u << step;
    lines[1 - now][t] = t >= reach ? lines[now][t] + lines[now][t - reach] : lines[now][t];  // lint: hazard.threadgroup_race; check: race
  }
  x[t] = lines[0][t];
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float lines[2][64];
  lines[0][t] = x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 0; step < 6; ++step) {
    const uint now = step & 1;
    const uint reach = 1u << step;
    lines[1 - now][t] = t >= reach ? lines[now][t] + lines[now][t - reach] : lines[now][t];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  x[t] = lines[0][t];
}
