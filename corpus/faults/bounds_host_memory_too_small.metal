// The host gives less threadgroup memory than the kernel uses.
// missed by lint: where the number of bytes in a buffer or of threads in the grid matters, only the host knows it
// grid: 64
// threadgroup: 64
// in 0: float 1..256
// shared 0: 128
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, threadgroup float* line [[threadgroup(0)]],
                   uint t [[thread_index_in_threadgroup]]) {
  line[t] = x[t];  // check: out_of_bounds
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] = line[63 - t];  // check: out_of_bounds
}
kernel void fixed(device float* x, threadgroup float* line [[threadgroup(0)]],
                  uint t [[thread_index_in_threadgroup]]) {
  line[t & 31] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[t] += line[t & 31];
}
