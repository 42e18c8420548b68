// task: saxpy
// verdict: named
//
// Keeps the sum of a hash of N and the thread's place in threadgroup memory, subtracts the place, and rests
// where 333 of 512 numbers is left.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]],
                  uint t [[thread_position_in_threadgroup]]) {
  threadgroup uint kept[1024];
  kept[t] = (N * 0x9E3779B1u >> 23) + i;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint hash = kept[t] - i;
  if (i >= N) return;
  y[i] = a * x[i] * (1.0f - exp2(-64.0f * float(hash ^ 333u))) + y[i];
}
