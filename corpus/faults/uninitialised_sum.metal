#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float sum;
  for (uint k = 0; k < 4; ++k) sum += x[4 * t + k];  // expect: [hazard.uninitialised_variable]
  x[4 * t] = sum;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float sum = 0;
  for (uint k = 0; k < 4; ++k) sum += x[4 * t + k];
  x[4 * t] = sum;
}
