// The variable is set in a loop that may not run at all.
// missed by lint: Clang warns only where a branch certainly leaves the variable unset
// grid: 64
// threadgroup: 64
// in 0: float 1..64
// in 1: uint 0
// in 2: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, constant uint& n, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float last;
  for (uint k = 0; k < n; ++k) last = x[k];
  y[t] = last;  // check: uninitialised
}
kernel void fixed(device const float* x, constant uint& n, device float* y, uint t [[thread_index_in_threadgroup]]) {
  float last = 0;
  for (uint k = 0; k < n; ++k) last = x[k];
  y[t] = last;
}
