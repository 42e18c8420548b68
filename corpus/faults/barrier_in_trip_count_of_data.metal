// Each thread runs as many rounds as its own number says.
// grid: 64
// threadgroup: 64
// in 0: uint 0..63
// in 1: uint 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint seen[64];
  seen[t] = 0;
  for (uint k = 0; k < u[t] / 32; ++k) {
    seen[t] += k;
    threadgroup_barrier(mem_flags::mem_threadgroup);  // lint: hazard.barrier_divergence; check: barrier_divergence
  }
  y[t] = seen[t];
}
kernel void fixed(device const uint* u, device uint* y, uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint seen[64];
  seen[t] = 0;
  for (uint k = 0; k < u[0] + 1; ++k) {
    seen[t] += k;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  y[t] = seen[t];
}
