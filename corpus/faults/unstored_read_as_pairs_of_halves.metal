// An odd number of halves is stored, and then read in pairs: the last pair has one that no thread stored.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: float 1..32
// out 1: half 32*0
// out 2: float 16*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device half* scratch, device float* sums,
                   uint t [[thread_index_in_threadgroup]]) {
  if (t < 31) scratch[t] = half(x[t]);
  threadgroup_barrier(mem_flags::mem_device);
  if (t >= 16) return;
  const half2 pair = ((device const half2*)scratch)[t];  // check: unstored_read
  sums[t] = float(pair.x) + float(pair.y);
}
kernel void fixed(device const float* x, device half* scratch, device float* sums,
                  uint t [[thread_index_in_threadgroup]]) {
  scratch[t] = t < 31 ? half(x[t]) : half(0);
  threadgroup_barrier(mem_flags::mem_device);
  if (t >= 16) return;
  const half2 pair = ((device const half2*)scratch)[t];
  sums[t] = float(pair.x) + float(pair.y);
}
