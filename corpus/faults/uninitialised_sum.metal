// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float sum;
  for (uint k = 0; k < 4; ++k) sum += x[4 * t + k];  // lint: hazard.uninitialised_variable; check: uninitialised
  x[4 * t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float sum = 0;
  for (uint k = 0; k < 4; ++k) sum += x[4 * t + k];
  x[4 * t] = sum;
}
