// A factorial that a float cannot hold, for the logarithm of it.
// missed by lint: the values of the host and of buffers are not known
// grid: 40
// threadgroup: 40
// in 0: float 40*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device float* log_factorial, uint i [[thread_position_in_grid]]) {
  float product = 1;
  for (uint k = 2; k <= i; ++k) product *= float(k);  // check: not_finite
  log_factorial[i] = log(product);
}
kernel void fixed(device float* log_factorial, uint i [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint k = 2; k <= i; ++k) sum += log(float(k));
  log_factorial[i] = sum;
}
