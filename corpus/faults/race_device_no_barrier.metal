// Threads of one threadgroup exchange data through a buffer with no barrier.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = 2 * x[t];  // check: race
  x[t] = y[63 - t];  // lint: hazard.device_race; check: race
}
kernel void fixed(device float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = 2 * x[t];
  threadgroup_barrier(mem_flags::mem_device);
  x[t] = y[63 - t];
}
