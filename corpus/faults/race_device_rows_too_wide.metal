// A row has one element more than the pitch, so rows overlap.
// grid: 64
// threadgroup: 64
// in 0: float 64*1
// in 1: float 520*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  for (uint k = 0; k < 9; ++k) y[t * 8 + k] = x[t] + float(k);  // lint: hazard.device_race; check: race
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  for (uint k = 0; k < 8; ++k) y[t * 8 + k] = x[t] + float(k);
}
