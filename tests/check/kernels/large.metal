// A kernel so large that the device cpu takes its checked code without optimisation.
#include <metal_stdlib>
using namespace metal;

#define FOUR(step) step step step step
#define STEP                                                 \
  if (tile[k % 64] < x[k]) sum += x[k] * tile[(k + 1) % 64]; \
  k += 1;

// kernel: without_a_barrier
// grid: 64
// threadgroup: 64
// in 0: float 256*1
// in 1: float 64*0
kernel void without_a_barrier(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                              uint i [[thread_position_in_grid]]) {
  threadgroup float tile[65];
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  uint k = i;
  FOUR(FOUR(FOUR(STEP)))
  FOUR(FOUR(STEP))
  threadgroup_barrier(mem_flags::mem_threadgroup);
  tile[(i + 1) % 64] = sum, y[i] = tile[i];  // expect: race
}
