#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float left;
  if (t > 0) left = 1;  // expect: [hazard.uninitialised_variable]
  x[t] *= left;
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float left = 0;
  if (t > 0) left = 1;
  x[t] *= left;
}
