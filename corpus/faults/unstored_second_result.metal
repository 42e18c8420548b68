// One way through the kernel stores both results, the other one forgets the second.
// missed by lint: the values of the host and of buffers are not known
// grid: 32
// threadgroup: 32
// in 0: float 1..64
// out 1: float 32*0
// out 2: float 32*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* smaller, device float* larger,
                   uint i [[thread_position_in_grid]]) {
  const float a = x[2 * i], b = x[2 * i + 1];
  smaller[i] = min(a, b);
  if (i % 8 != 7) larger[i] = max(a, b);  // check: unstored
}
kernel void fixed(device const float* x, device float* smaller, device float* larger,
                  uint i [[thread_position_in_grid]]) {
  const float a = x[2 * i], b = x[2 * i + 1];
  smaller[i] = min(a, b);
  larger[i] = max(a, b);
}
