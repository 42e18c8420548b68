// grid: 256
// threadgroup: 256
// in 0: float 1..1024
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float left;
  if (t > 0) left = 1;  // lint: hazard.uninitialised_variable
  x[t] *= left;  // check: uninitialised
}
kernel void fixed(device float* x, uint t [[thread_index_in_threadgroup]]) {
  float left = 0;
  if (t > 0) left = 1;
  x[t] *= left;
}
