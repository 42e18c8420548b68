// The root of a difference that rounding makes negative is not a number.
// missed by lint: the values of the host and of buffers are not known
// grid: 64
// threadgroup: 64
// in 0: float 64*-1
// in 1: float 64*0
#include <metal_stdlib>
using namespace metal;
kernel void faulty(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = sqrt(x[t]);  // check: not_finite
}
kernel void fixed(device const float* x, device float* y, uint t [[thread_index_in_threadgroup]]) {
  y[t] = sqrt(max(x[t], 0.0f));
}
