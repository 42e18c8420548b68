// Partial products meet in threadgroup memory, and the last of them overflows.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: float 32*200
// in 1: float 0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* product, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[32];
  part[t] = x[t];
  for (uint step = 16; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step) part[t] *= part[t + step];  // check: not_finite
  }
  if (t == 0) product[0] = part[0];
}
kernel void fixed(device const float* x, device float* log_product, uint t [[thread_index_in_threadgroup]]) {
  threadgroup float part[32];
  part[t] = log(x[t]);
  for (uint step = 16; step > 0; step /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) log_product[0] = part[0];
}
