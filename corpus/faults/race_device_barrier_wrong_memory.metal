// The barrier orders threadgroup memory, and the data are in a buffer.
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: float 64*0
// in 2: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, device float* z,
                   uint t [[thread_index_in_threadgroup]]) {
  z[t] = 2 * x[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_flags
  y[t] = z[63 - t];  // check: race
}
kernel void fixed(device const float* x, device float* y, device float* z,
                  uint t [[thread_index_in_threadgroup]]) {
  z[t] = 2 * x[t];
  threadgroup_barrier(mem_flags::mem_device);
  y[t] = z[63 - t];
}
