// Both partners of a compare-exchange write without a barrier between the stages.
// grid: 64
// threadgroup: 64
// in 0: uint 64..1
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint keys[64];
  keys[t] = u[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint distance = 32; distance > 0; distance >>= 1) {
    const uint partner = t ^ distance;
    if (partner > t && keys[t] > keys[partner]) {  // check: race
      const uint held = keys[t];
      keys[t] = keys[partner];  // check: race
      keys[partner] = held;  // lint: hazard.threadgroup_race; check: race
    }
  }
  u[t] = keys[t];  // check: race
}
kernel void fixed(device uint* u, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint keys[64];
  keys[t] = u[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint distance = 32; distance > 0; distance >>= 1) {
    const uint partner = t ^ distance;
    if (partner > t && keys[t] > keys[partner]) {
      const uint held = keys[t];
      keys[t] = keys[partner];
      keys[partner] = held;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  u[t] = keys[t];
}
