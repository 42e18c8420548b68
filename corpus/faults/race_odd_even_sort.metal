// Odd and even phases of a sort follow each other without a barrier.
// grid: 64
// threadgroup: 64
// in 0: uint 128..1
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint keys[129];
  keys[2 * t] = u[2 * t];
  keys[2 * t + 1] = u[2 * t + 1];
  if (t == 0) keys[128] = 0xffffffffu;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint phase = 0; phase < 128; ++phase) {
    const uint at = 2 * t + (phase & 1);
    if (keys[at] > keys[at + 1]) {  // check: race
      const uint held = keys[at];
      keys[at] = keys[at + 1];  // check: race
      keys[at + 1] = held;  // check: race
    }
  }
  u[2 * t] = keys[2 * t];  // lint: hazard.threadgroup_race; check: race
  u[2 * t + 1] = keys[2 * t + 1];
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint keys[129];
  keys[2 * t] = u[2 * t];
  keys[2 * t + 1] = u[2 * t + 1];
  if (t == 0) keys[128] = 0xffffffffu;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint phase = 0; phase < 128; ++phase) {
    const uint at = 2 * t + (phase & 1);
    if (keys[at] > keys[at + 1]) {
      const uint held = keys[at];
      keys[at] = keys[at + 1];
      keys[at + 1] = held;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  u[2 * t] = keys[2 * t];
  u[2 * t + 1] = keys[2 * t + 1];
}
